import { createContext, type ReactNode, useContext } from 'react'
import { Logo } from './Logo.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/** Whether a frame with a `main` stands around already. */
export const Framed = createContext(false)

/** A header and the page in its middle: for signing in, and for what is shown where no other frame is. */
export function Bare({ children }: { children: ReactNode }) {
  return (
    <Framed value={true}>
      <div className="flex min-h-dvh flex-col">
        <header className="flex h-14 shrink-0 items-center justify-between gap-4 px-4 md:px-8">
          <Logo />
          <ThemeSwitch />
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="grid grow content-start justify-items-center px-4 py-8 outline-none md:py-16"
        >
          {children}
        </main>
      </div>
    </Framed>
  )
}

/** For what can happen anywhere: within the frame that stands, else in a bare one. */
export function Anywhere({ children }: { children: ReactNode }) {
  if (useContext(Framed)) return children
  return (
    <Bare>
      <div className="w-full max-w-140">{children}</div>
    </Bare>
  )
}

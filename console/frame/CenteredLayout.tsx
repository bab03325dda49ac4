import { Outlet } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'
import { ThemeSwitch } from './DisplaySwitches.tsx'
import { Logo } from './Logo.tsx'

/** Whether a layout, with its `main`, is already around this part of the page. */
export const InsideLayout = createContext(false)

/** A header and a centered page: for signing in, and for errors outside of other layouts. */
export function CenteredLayout({ children }: { children: ReactNode }) {
  return (
    <InsideLayout value={true}>
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
    </InsideLayout>
  )
}

/** For pages that may appear inside any layout or outside: adds a layout if there is none. */
export function WithLayout({ children }: { children: ReactNode }) {
  if (useContext(InsideLayout)) return children
  return (
    <CenteredLayout>
      <div className="w-full max-w-140">{children}</div>
    </CenteredLayout>
  )
}

/** The layout of the pages for signing in and up. */
export function SessionLayout() {
  return (
    <CenteredLayout>
      <Outlet />
    </CenteredLayout>
  )
}

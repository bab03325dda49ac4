import { Outlet } from '@tanstack/react-router'
import { Logo } from './Logo.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/** What stands around the pages of signing in. */
export function SessionFrame() {
  return (
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
        <Outlet />
      </main>
    </div>
  )
}

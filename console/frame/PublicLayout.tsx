import { Outlet } from '@tanstack/react-router'
import { PageLink } from '../ui/form/Button.tsx'
import { InsideLayout } from './CenteredLayout.tsx'
import { ThemeSwitch } from './DisplaySwitches.tsx'
import { Logo } from './Logo.tsx'

/** The layout of the start page. */
export function PublicLayout() {
  return (
    <>
      <header className="border-b border-line">
        <div className="mx-auto flex h-14 max-w-288 items-center justify-between gap-4 px-4 md:px-8">
          <Logo />
          <div className="flex items-center gap-3">
            <PageLink to="/sign-in">Sign in</PageLink>
            <ThemeSwitch />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-288 px-4 py-8 outline-none md:px-8 md:py-12">
        <InsideLayout value={true}>
          <Outlet />
        </InsideLayout>
      </main>
    </>
  )
}

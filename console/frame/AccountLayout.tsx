import { Link, Outlet } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { home } from '../session/home.ts'
import { useMe } from '../session/me.ts'
import { InsideLayout } from './CenteredLayout.tsx'
import { ThemeSwitch } from './DisplaySwitches.tsx'
import { Logo } from './Logo.tsx'

/** The layout of the account and onboarding pages, outside of tenants. */
export function AccountLayout() {
  const me = useMe()
  return (
    <>
      <header className="border-b border-line bg-sunken">
        <div className="mx-auto flex h-14 max-w-200 items-center gap-4 px-4 md:px-8">
          <Logo />
          {(me.tenants.length > 0 || me.staff !== null) && (
            <Link
              {...home(me)}
              className="flex h-8 items-center gap-1.5 rounded-control px-2 text-13 text-ink-2 hover:text-ink"
            >
              <ArrowLeft size={15} aria-hidden />
              <span>
                Back<span className="max-sm:sr-only"> to the console</span>
              </span>
            </Link>
          )}
          <span className="ml-auto">
            <ThemeSwitch />
          </span>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-200 px-4 py-8 outline-none md:px-8">
        <InsideLayout value={true}>
          <Outlet />
        </InsideLayout>
      </main>
    </>
  )
}

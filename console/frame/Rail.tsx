import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { AccountMenu } from './AccountMenu.tsx'
import { NAV } from './nav.ts'
import { QuotaMeter } from './QuotaMeter.tsx'
import { TenantSwitch } from './TenantSwitch.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { useTenant } from './useTenant.ts'
import { ZoneSwitch } from './ZoneSwitch.tsx'

/** Tenant, search, pages, what is left of the quota, and the person's own settings. */
export function Rail({ onSearch, onNavigate }: { onSearch: () => void; onNavigate?: () => void }) {
  const { slug, may } = useTenant()
  return (
    <div className="flex min-h-full min-w-0 flex-col gap-3 p-3">
      <TenantSwitch />
      <button
        type="button"
        onClick={onSearch}
        aria-keyshortcuts="Meta+K Control+K"
        className="flex h-8 shrink-0 items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 text-13 whitespace-nowrap text-ink-2 transition-colors hover:text-ink"
      >
        <Search size={15} aria-hidden />
        Search or jump to…
        <kbd aria-hidden className="ml-auto font-sans text-11">
          {/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      <nav aria-label="Pages">
        <ul>
          {NAV.filter(({ permission }) => may(permission)).map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ tenant: slug }}
                activeOptions={{ exact: to === '/o/$tenant' }}
                {...(onNavigate && { onClick: onNavigate })}
                className="flex h-8 items-center gap-2.5 rounded-control px-2 text-13 text-ink-2 transition-colors hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                <Icon size={15} aria-hidden className="shrink-0" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <QuotaMeter />
      <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-3 pt-3">
        <div className="flex items-center justify-between gap-2">
          <ThemeSwitch />
          <ZoneSwitch />
        </div>
        <AccountMenu />
      </div>
    </div>
  )
}

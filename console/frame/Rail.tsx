import { Link } from '@tanstack/react-router'
import type { RailProps } from './Layout.tsx'
import { NAV } from './nav.ts'
import { QuotaMeter } from './QuotaMeter.tsx'
import { RAIL_LINK, RailFoot, SearchButton } from './RailParts.tsx'
import { TenantSwitch } from './TenantSwitch.tsx'
import { useTenant } from './useTenant.ts'

/** Tenant, search, pages, what is left of the quota, and the person's own settings. */
export function Rail({ onSearch, onNavigate }: RailProps) {
  const { slug, may } = useTenant()
  return (
    <div className="flex min-h-full min-w-0 flex-col gap-3 p-3">
      <TenantSwitch />
      <SearchButton onSearch={onSearch} />
      <nav aria-label="Pages">
        <ul>
          {NAV.filter(({ permission }) => may(permission)).map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ tenant: slug }}
                activeOptions={{ exact: to === '/o/$tenant', includeSearch: false }}
                {...(onNavigate && { onClick: onNavigate })}
                className={RAIL_LINK}
              >
                <Icon size={15} aria-hidden className="shrink-0" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <QuotaMeter />
      <RailFoot />
    </div>
  )
}

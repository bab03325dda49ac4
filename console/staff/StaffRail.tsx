import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Logo } from '../frame/Logo.tsx'
import { SearchButton, SIDEBAR_LINK, SidebarFooter, type SidebarProps } from '../frame/SidebarLayout.tsx'
import { home } from '../session/home.ts'
import { useMe } from '../session/me.ts'
import { Badge } from './Badge.tsx'
import { reaches, STAFF_NAV } from './nav.ts'

/** Pages of our own people, and the way back to the tenants of which they are members. */
export function StaffRail({ onSearch, onNavigate }: SidebarProps) {
  const me = useMe()
  const click = onNavigate && { onClick: onNavigate }
  return (
    <div className="flex min-h-full min-w-0 flex-col gap-3 p-3">
      <div className="flex h-9 items-center gap-2 px-1.5 text-13">
        <Logo /> <Badge />
      </div>
      <SearchButton onSearch={onSearch} />
      <nav aria-label="Pages">
        <ul>
          {STAFF_NAV.filter(({ level }) => reaches(me.staff, level)).map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === '/staff', includeSearch: false }}
                {...click}
                className={SIDEBAR_LINK}
              >
                <Icon size={15} aria-hidden className="shrink-0" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {me.tenants.some(({ viewEndsAt }) => viewEndsAt === null) && (
        <Link {...home(me)} {...click} className={SIDEBAR_LINK}>
          <ArrowLeft size={15} aria-hidden className="shrink-0" />
          Your tenants
        </Link>
      )}
      <SidebarFooter />
    </div>
  )
}

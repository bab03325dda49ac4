import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Logo } from '../frame/Logo.tsx'
import { SearchButton, SIDEBAR_LINK, SidebarFooter, SidebarLayout, type SidebarProps } from '../frame/SidebarLayout.tsx'
import { home } from '../session/home.ts'
import { useMe } from '../session/me.ts'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { hasStaffLevel, STAFF_NAV } from './nav.ts'

const Palette = lazyPart(async () => (await import('./StaffPalette.tsx')).StaffPalette)

const StaffBadge = () => <span className="rounded-xs bg-ink px-1.5 text-11 font-semibold text-bg">Staff</span>

const NAME = (
  <span className="flex items-center gap-2">
    Tollgate <StaffBadge />
  </span>
)

/** Says that the pages show customer data. */
const Banners = () => (
  <section aria-label="Notices">
    <p className="bg-ink px-4 py-1.5 text-12 text-bg lg:px-8">
      <strong>Staff:</strong> this is customer data. Their audit log records what you view and change.
    </p>
  </section>
)

/** The layout of the staff pages, marked so that they are not mistaken for a tenant's. */
export function StaffLayout() {
  const { staff } = useMe()
  const navigate = useNavigate()
  const pages = STAFF_NAV.filter(({ level }) => hasStaffLevel(staff, level)).map(({ to, label, key }) => ({
    label,
    key,
    open: () => void navigate({ to }),
  }))
  return <SidebarLayout name={NAME} Sidebar={StaffSidebar} banners={<Banners />} Palette={Palette} pages={pages} />
}

/** The staff pages, and a link back to the person's own tenants. */
function StaffSidebar({ onSearch, onNavigate }: SidebarProps) {
  const me = useMe()
  const click = onNavigate && { onClick: onNavigate }
  return (
    <div className="flex min-h-full min-w-0 flex-col gap-3 p-3">
      <div className="flex h-9 items-center gap-2 px-1.5 text-13">
        <Logo /> <StaffBadge />
      </div>
      <SearchButton onSearch={onSearch} />
      <nav aria-label="Pages">
        <ul>
          {STAFF_NAV.filter(({ level }) => hasStaffLevel(me.staff, level)).map(({ to, label, icon: Icon }) => (
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

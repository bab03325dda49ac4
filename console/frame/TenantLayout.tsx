import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { Fragment, type ReactNode, Suspense, useEffect } from 'react'
import { rememberTenant } from '../session/home.ts'
import { useMe } from '../session/me.ts'
import { SettingsTabs } from '../tenants/SettingsTabs.tsx'
import { trpc } from '../trpc.ts'
import { Meter } from '../ui/chart/Meter.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { Menu, MenuGroup, MenuLink, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { TabLink, TabNav } from '../ui/page/Tabs.tsx'
import { whole } from '../ui/text/format.ts'
import { OuterLink } from '../ui/text/Link.tsx'
import { LOCALE } from '../ui/text/zone.ts'
import { useStory, useSupportUrl } from './deployment.ts'
import { Mark } from './Logo.tsx'
import { mayOpen, type NavItem, offeredPages, sidebarEntries } from './nav.ts'
import { PermittedOutlet, useNavItem } from './Permitted.tsx'
import { SearchButton, SIDEBAR_LINK, SidebarFooter, SidebarLayout, type SidebarProps } from './SidebarLayout.tsx'
import { useTenant } from './useTenant.ts'

const Palette = lazyPart(async () => (await import('./Palette.tsx')).Palette)

/** The layout of a tenant's pages. */
export function TenantLayout() {
  const { slug, name, viewEndsAt, may } = useTenant()
  // not for staff who view the tenant
  useEffect(() => {
    if (viewEndsAt === null) rememberTenant(slug)
  }, [slug, viewEndsAt])
  const navigate = useNavigate()
  const pages = offeredPages(may).map(({ to, label, key }) => ({
    label,
    key,
    open: () => void navigate({ to, params: { tenant: slug } }),
  }))
  return (
    <SidebarLayout name={name} Sidebar={TenantSidebar} banners={<Banners />} Palette={Palette} pages={pages}>
      <PageTabs />
      <PermittedOutlet />
    </SidebarLayout>
  )
}

/** The pages of the entry of the sidebar, as tabs above each of them. */
function PageTabs() {
  const item = useNavItem()
  const isSettings = item?.to === '/o/$tenant/settings'
  return <div className="mb-6 empty:hidden">{isSettings ? <SettingsTabs /> : <GroupTabs item={item} />}</div>
}

function GroupTabs({ item }: { item: NavItem | undefined }) {
  const { slug, may } = useTenant()
  const { pathname } = useLocation()
  const tabs = offeredPages(may).filter(({ group }) => group !== undefined && group === item?.group)
  if (tabs.length === 0 || item?.to.replace('$tenant', slug) !== pathname) return null
  return (
    <TabNav label={item.group ?? ''}>
      {tabs.map(({ to, label }) => (
        <TabLink key={to} to={to} params={{ tenant: slug }} activeOptions={{ includeSearch: false }}>
          {label}
        </TabLink>
      ))}
    </TabNav>
  )
}

/** Tenant, search, pages, quota and account. */
function TenantSidebar({ onSearch, onNavigate }: SidebarProps) {
  const { slug, may } = useTenant()
  const page = useNavItem()
  return (
    <div className="flex min-h-full min-w-0 flex-col gap-3 p-3">
      <TenantSwitch />
      <SearchButton onSearch={onSearch} />
      <nav aria-label="Pages">
        <ul>
          {sidebarEntries(offeredPages(may)).map(({ label, icon: Icon, pages }) => (
            <li key={label}>
              <Link
                to={pages[0]?.to ?? '/o/$tenant'}
                params={{ tenant: slug }}
                activeOptions={{ exact: pages[0]?.to === '/o/$tenant', includeSearch: false }}
                {...(page && pages.includes(page) && { 'aria-current': 'page' })}
                {...(onNavigate && { onClick: onNavigate })}
                className={SIDEBAR_LINK}
              >
                <Icon size={15} aria-hidden className="shrink-0" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <QuotaMeter />
      <SidebarFooter />
    </div>
  )
}

/** Shows the current tenant and switches to another. */
function TenantSwitch() {
  const { slug, name } = useTenant()
  const { tenants } = useMe()
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Tenant ${name}: switch`}
          className="flex h-9 w-full shrink-0 items-center gap-2 rounded-control px-1.5 text-left text-13 font-semibold transition-colors hover:bg-line"
        >
          <Mark />
          <span className="min-w-0 grow truncate">{name}</span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-ink-2" />
        </button>
      }
    >
      <MenuGroup label="Tenants">
        {tenants.map((tenant) => (
          <MenuLink
            key={tenant.id}
            render={<Link to="/o/$tenant" params={{ tenant: tenant.slug }} />}
            {...(tenant.slug === slug && { icon: Check })}
          >
            {tenant.name}
          </MenuLink>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuLink icon={Plus} render={<Link to="/welcome" />}>
        Create tenant
      </MenuLink>
    </Menu>
  )
}

const REFRESH_MS = 30_000
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone: 'UTC' })

/** Units used this month. Reserves its height while loading. */
function QuotaMeter() {
  const { slug } = useTenant()
  const { data } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }, { refetchInterval: REFRESH_MS }))
  return (
    <div className="mt-2 min-h-11 px-2">
      {data && (
        <>
          <Meter label={`${MONTH.format(new Date(data.month))} quota`} value={data.used} max={data.included} />
          <p className="mt-1 text-11 text-ink-2">
            {whole(data.used)} of {whole(data.included)}
            {data.balance > 0 && ` (+${whole(data.balance)} prepaid)`}
          </p>
        </>
      )}
    </div>
  )
}

// only staff ever see it
const ViewAsBanner = lazyPart(async () => (await import('../staff/ViewAsBanner.tsx')).ViewAsBanner)

/** Notices above every page: viewing as a tenant, suspension, evaluation. */
function Banners() {
  const { suspended, demo, viewEndsAt } = useTenant()
  const supportUrl = useSupportUrl()
  return (
    <section aria-label="Notices" className="print:hidden">
      {viewEndsAt !== null && (
        <Suspense>
          <ViewAsBanner endsAt={viewEndsAt} />
        </Suspense>
      )}
      {suspended && (
        <Banner tone="block">
          <strong>This tenant is suspended:</strong> all verifications are refused.{' '}
          {suspended.reason && `Reason: ${suspended.reason}. `}
          {supportUrl === null ? (
            'Contact support to restore it.'
          ) : (
            <OuterLink href={supportUrl}>Contact support</OuterLink>
          )}
        </Banner>
      )}
      {demo && (
        <Banner tone="challenge">
          <strong>Demo:</strong> the traffic of this tenant is made up.
          <StoryLinks />
        </Banner>
      )}
    </section>
  )
}

/** On the overview of the demo tenant: what happened in its data. */
function StoryLinks() {
  const { slug, may } = useTenant()
  const { pathname } = useLocation()
  const home = `/o/${slug}`
  const story = useStory().filter(({ path }) => path.startsWith(`${home}/`) && mayOpen(path, may))
  if (pathname !== home || story.length === 0) return null
  return (
    <>
      {' '}
      What happened:{' '}
      {story.map(({ title, path }, n) => (
        <Fragment key={path}>
          {n > 0 && ', '}
          <OuterLink href={path}>{title.toLowerCase()}</OuterLink>
        </Fragment>
      ))}
      .
    </>
  )
}

const TONES = { block: 'bg-block-bg text-block', challenge: 'bg-challenge-bg text-challenge' } as const

function Banner({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return <p className={`border-b border-line px-4 py-1.5 text-12 lg:px-8 ${TONES[tone]}`}>{children}</p>
}

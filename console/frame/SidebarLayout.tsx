import { useIsFetching } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { BookOpen, ChevronsUpDown, Keyboard, LifeBuoy, LogOut, Menu as MenuIcon, Search, UserRound } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react'
import { signOut, useMe } from '../session/me.ts'
import { IconButton } from '../ui/form/IconButton.tsx'
import { Sheet } from '../ui/overlay/Dialog.tsx'
import { type LazyPart, lazyPart } from '../ui/overlay/lazyPart.ts'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { setZone, useZone, zoneName } from '../ui/text/zone.ts'
import { InsideLayout } from './CenteredLayout.tsx'
import { DocsLink } from './DocsLink.tsx'
import { useDocsUrl, useSupportUrl } from './deployment.ts'
import { type KeyedPage, showShortcuts, useShortcuts } from './shortcuts.ts'
import { chooseTheme, THEMES, useTheme } from './theme.ts'
import { keepTyped, takeTyped } from './typeAhead.ts'
import { useVisits } from './visits.ts'

const ShortcutHelp = lazyPart(async () => (await import('./ShortcutHelp.tsx')).ShortcutHelp)

export type SidebarProps = { onSearch: () => void; onNavigate?: () => void }

/** Sidebar (a bar and a sheet on narrow screens), banners, page and command palette. */
export function SidebarLayout({
  name,
  Sidebar,
  banners,
  Palette,
  pages,
  children,
}: {
  /** The title in the bar of narrow screens. */
  name: ReactNode
  Sidebar: ComponentType<SidebarProps>
  banners: ReactNode
  Palette: LazyPart<{ onClose: () => void }>
  /** The pages that keys open. */
  pages: readonly KeyedPage[]
  /** Instead of the page. */
  children?: ReactNode
}) {
  const [searching, setSearching] = useState(false)
  const [navigating, setNavigating] = useState(false)
  const search = () => {
    setNavigating(false)
    if (searching) return
    setSearching(true)
    // until the palette's input has the focus
    keepTyped(() => setSearching(false))
  }
  useVisits()
  const help = useShortcuts({ onSearch: search, pages })
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] print:block">
      <aside
        aria-label="Navigation"
        className="sticky top-0 hidden h-dvh overflow-y-auto border-r border-line bg-sunken lg:block print:hidden"
      >
        <Sidebar onSearch={search} />
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-sunken px-4 lg:hidden print:hidden">
          <IconButton icon={MenuIcon} label="Open navigation" onClick={() => setNavigating(true)} />
          <p className="min-w-0 grow truncate text-13 font-semibold">{name}</p>
          <IconButton icon={Search} label="Search or jump to…" onClick={search} />
        </header>
        {banners}
        <main id="main" tabIndex={-1} className="mx-auto max-w-304 px-4 py-6 outline-none lg:px-8 lg:py-8">
          <InsideLayout value={true}>{children ?? <Outlet />}</InsideLayout>
        </main>
      </div>
      <Sheet open={navigating} onClose={() => setNavigating(false)} title="Navigation" side="left">
        <div className="overflow-y-auto">
          <Sidebar onSearch={search} onNavigate={() => setNavigating(false)} />
        </div>
      </Sheet>
      <Preload part={Palette} />
      <Suspense>
        {searching && (
          <Palette
            onClose={() => {
              takeTyped()
              setSearching(false)
            }}
          />
        )}
        {help.open && <ShortcutHelp pages={pages} onClose={help.close} />}
      </Suspense>
    </div>
  )
}

/** Loads it once the page is complete and the browser has nothing else to do. */
function Preload({ part: { preload } }: { part: Pick<LazyPart<never>, 'preload'> }) {
  const isLoading = useIsFetching() > 0
  useEffect(() => {
    if (isLoading) return undefined
    // Safari has no idle callbacks
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(preload, PRELOAD_MS)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(preload)
    return () => cancelIdleCallback(idle)
  }, [isLoading, preload])
  return null
}

const PRELOAD_MS = 2000

/** The look of a link in the sidebar. */
export const SIDEBAR_LINK =
  'flex h-8 items-center gap-2.5 rounded-control px-2 text-13 text-ink-2 transition-colors hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** Opens the command palette. */
export function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <button
      type="button"
      onClick={onSearch}
      aria-keyshortcuts="Meta+K Control+K /"
      className="flex h-8 shrink-0 items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 text-13 whitespace-nowrap text-ink-2 transition-colors hover:text-ink"
    >
      <Search size={15} aria-hidden />
      Search or jump to…
      <kbd aria-hidden className="ml-auto font-sans text-11 pointer-coarse:hidden">
        {/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}

/** The docs and support; only what this deployment has. */
function HelpLinks() {
  const supportUrl = useSupportUrl()
  return (
    <nav aria-label="Help" className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 px-2 text-12">
      <DocsLink page="quick-start">Docs</DocsLink>
      {supportUrl !== null && <OuterLink href={supportUrl}>Support</OuterLink>}
    </nav>
  )
}

/** Help and account menu. */
export function SidebarFooter() {
  return (
    <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-3 pt-3">
      <HelpLinks />
      <AccountMenu />
    </div>
  )
}

/** The account menu, with theme and time zone. */
function AccountMenu() {
  const theme = useTheme()
  const zone = useZone()
  const { user, staff } = useMe()
  const docsUrl = useDocsUrl()
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-control px-1.5 py-1 text-left transition-colors hover:bg-line"
        >
          <span className="min-w-0 grow">
            <span className="block truncate text-13 font-medium">{user.name}</span>
            <span className="block truncate text-11 text-ink-2">{user.email}</span>
            <span className="sr-only">Account menu</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-ink-2" />
        </button>
      }
    >
      <MenuLink icon={UserRound} render={<Link to="/account" />}>
        Account
      </MenuLink>
      {staff && (
        <MenuLink icon={LifeBuoy} render={<Link to="/staff" />}>
          Staff console
        </MenuLink>
      )}
      {docsUrl !== null && (
        <MenuLink icon={BookOpen} href={`${docsUrl}/api`}>
          API reference
        </MenuLink>
      )}
      <MenuItem icon={Keyboard} onClick={showShortcuts}>
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuChoice label="Theme" value={theme} onChange={chooseTheme} options={THEMES} />
      <MenuChoice
        label="Time zone"
        value={zone}
        onChange={setZone}
        options={{ local: `Local (${zoneName('local')})`, utc: 'UTC' }}
      />
      <MenuSeparator />
      <MenuItem icon={LogOut} onClick={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

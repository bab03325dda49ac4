import { Outlet } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react'
import { IconButton } from '../ui/form/IconButton.tsx'
import { Sheet } from '../ui/overlay/Dialog.tsx'
import { Framed } from './Bare.tsx'

export type RailProps = { onSearch: () => void; onNavigate?: () => void }

/** Sidebar (a bar and a sheet on narrow screens), banners, page and command palette. */
export function Layout({
  name,
  Rail,
  banners,
  Palette,
}: {
  /** The title in the bar of narrow screens. */
  name: ReactNode
  Rail: ComponentType<RailProps>
  banners: ReactNode
  Palette: ComponentType<{ onClose: () => void }>
}) {
  const [searching, setSearching] = useState(false)
  const [navigating, setNavigating] = useState(false)
  useShortcut(() => setSearching(true))

  const search = () => {
    setNavigating(false)
    setSearching(true)
  }
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] print:block">
      <aside
        aria-label="Navigation"
        className="sticky top-0 hidden h-dvh overflow-y-auto border-r border-line bg-sunken lg:block print:hidden"
      >
        <Rail onSearch={search} />
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-sunken px-4 lg:hidden print:hidden">
          <IconButton icon={MenuIcon} label="Open navigation" onClick={() => setNavigating(true)} />
          <p className="min-w-0 grow truncate text-13 font-semibold">{name}</p>
          <IconButton icon={Search} label="Search or jump to…" onClick={search} />
        </header>
        {banners}
        <main id="main" tabIndex={-1} className="mx-auto max-w-304 px-4 py-6 outline-none lg:px-8 lg:py-8">
          <Framed value={true}>
            <Outlet />
          </Framed>
        </main>
      </div>
      <Sheet open={navigating} onClose={() => setNavigating(false)} title="Navigation" side="left">
        <div className="overflow-y-auto">
          <Rail onSearch={search} onNavigate={() => setNavigating(false)} />
        </div>
      </Sheet>
      <Suspense>{searching && <Palette onClose={() => setSearching(false)} />}</Suspense>
    </div>
  )
}

/** Calls `act` on ⌘K or Ctrl K. */
function useShortcut(act: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

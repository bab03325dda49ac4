import { Search } from 'lucide-react'
import { AccountMenu } from './AccountMenu.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { ZoneSwitch } from './ZoneSwitch.tsx'

/** A link to a page, in a rail. */
export const RAIL_LINK =
  'flex h-8 items-center gap-2.5 rounded-control px-2 text-13 text-ink-2 transition-colors hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** Opens the palette. */
export function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
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
  )
}

/** The person's own settings. */
export function RailFoot() {
  return (
    <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-3 pt-3">
      <div className="flex items-center justify-between gap-2">
        <ThemeSwitch />
        <ZoneSwitch />
      </div>
      <AccountMenu />
    </div>
  )
}

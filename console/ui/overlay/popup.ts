/** Layers above the page: menus, selects, dialogs. Only these have a shadow. */
export const FLOATING = 'border border-line bg-surface text-ink shadow-float outline-none'

/** The popup of a menu or select. */
export const POPUP = `${FLOATING} max-h-(--available-height) max-w-(--available-width) overflow-y-auto rounded-panel p-1 text-13 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0`

/** An entry of such a popup. */
export const POPUP_ITEM =
  'flex min-h-8 w-full cursor-default items-center gap-2.5 rounded-control px-2.5 py-1.5 text-left select-none outline-none data-disabled:text-ink-3 data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-brand'

const SELECT =
  'flex items-center justify-between gap-3 rounded-control border border-line-strong bg-surface px-3 text-ink hover:bg-sunken aria-invalid:border-block data-popup-open:bg-sunken'

/** The button of a select: `wide` in a form, `narrow` in a filter bar. */
export const TRIGGER = {
  wide: `${SELECT} h-9 w-full text-14`,
  narrow: `${SELECT} h-8 text-13 font-medium`,
} as const

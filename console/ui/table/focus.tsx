import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

const CONTROLS = 'a[href], button'

/** Leaves only the link of the first cell of each row in the order of the Tab key. Rows without one keep all their controls. */
export function useOneStopPerRow() {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    if (!table.current) return undefined
    const apply = () => {
      for (const row of table.current?.querySelectorAll('tbody tr') ?? []) {
        const link = row.querySelector('td:first-child a[href]')
        if (link) for (const each of row.querySelectorAll<HTMLElement>(CONTROLS)) each.tabIndex = each === link ? 0 : -1
      }
    }
    apply()
    // rows come with scrolling, and menus when they have loaded
    const observer = new MutationObserver(apply)
    observer.observe(table.current, { childList: true, subtree: true })
    return () => observer.disconnect()
  })
  return table
}

/** The left and right arrow keys move between the controls of a row. */
export function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const { target } = event
  if (by === undefined || !(target instanceof HTMLElement) || !target.matches(CONTROLS)) return
  const controls = [...(target.closest('tbody tr')?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])]
  const shown = controls.filter((each) => each.checkVisibility())
  const at = shown.indexOf(target)
  const next = at === -1 ? undefined : shown[at + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/**
 * Takes the focus when the focused control inside it is removed, such as the button of a deleted row. Otherwise the focus
 * would return to the start of the page.
 */
export function KeepFocus({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    // a removed element fires no blur event
    if (hasFocus.current && document.activeElement === document.body) container.current?.focus()
  })
  return (
    <div
      ref={container}
      tabIndex={-1}
      className="rounded-panel"
      onFocus={() => {
        hasFocus.current = true
      }}
      onBlur={() => {
        hasFocus.current = false
      }}
    >
      {children}
    </div>
  )
}

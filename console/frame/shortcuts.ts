import { useEffect, useState } from 'react'

const KEY = 'tollgate.shortcuts'
const SHOW = 'tollgate:shortcuts'
/** A letter after `g` counts within this time. */
const CHORD_MS = 1500

/** The look of a key. */
export const KBD = 'rounded-xs border border-line-strong bg-sunken px-1.5 font-sans text-12'

/** A page with the letter that opens it after `g`. */
export type KeyedPage = { label: string; key: string; open: () => void }

/** Whether single keys are shortcuts. People who dictate need to turn them off, because words would trigger them. */
export function singleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off')
  } catch {
    // Storage is blocked or full: they stay as they are.
  }
}

/** Opens the list of shortcuts. */
export const showShortcuts = (): void => void dispatchEvent(new Event(SHOW))

/**
 * The keyboard shortcuts of every page inside the console: Ctrl K and `/` search, `?` shows this list, `g` and a letter opens
 * a page, `j` and `k` move through the rows of the list, or on a page of one row to the next one.
 */
export function useShortcuts({ onSearch, pages }: { onSearch: () => void; pages: readonly KeyedPage[] }) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let chordUntil = 0
    const actions: Record<string, () => void> = {
      '/': onSearch,
      '?': () => setOpen(true),
      j: () => move(1),
      k: () => move(-1),
    }
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event
      const modified = event.metaKey || event.ctrlKey || event.altKey
      if (key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault()
        onSearch()
      }
      if (modified || event.defaultPrevented || !singleKeys() || isTaken(target)) return
      const chord = event.timeStamp < chordUntil
      chordUntil = 0
      if (chord) pages.find((page) => page.key === key)?.open()
      else if (key === 'g') chordUntil = event.timeStamp + CHORD_MS
      else if (actions[key]) {
        event.preventDefault()
        actions[key]()
      }
    }
    const show = () => setOpen(true)
    addEventListener('keydown', onKey)
    addEventListener(SHOW, show)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener(SHOW, show)
    }
  })
  return { open, close: () => setOpen(false) }
}

/** Whether what has the focus uses letters itself: a text field, a list of values, or anything in a dialog or a menu. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'input:not([type=checkbox], [type=radio]), textarea, select, [role=combobox], [role=dialog], [role=menu]',
  ) !== null

/** Focuses the link or button of the next or previous row; without a list follows the page's own link to its neighbour. */
function move(by: 1 | -1): void {
  const neighbour = document.querySelector<HTMLElement>(`main a[rel=${by === 1 ? 'next' : 'prev'}]`)
  if (neighbour) return neighbour.click()
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')].filter((row) => controlOf(row))
  const present = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[present === -1 && by === -1 ? rows.length - 1 : present + by]
  if (next) controlOf(next)?.focus()
}

const controlOf = (row: HTMLElement) => row.querySelector<HTMLElement>('a[href], button')

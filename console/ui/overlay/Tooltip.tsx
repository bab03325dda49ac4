import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react'

/** A pointer that only passes by opens no tooltip. */
const DELAY_MS = 400
const MARGIN = 8

/**
 * A few words on hover and keyboard focus; Escape hides them. Hidden from screen readers: accessible names and descriptions
 * belong on the element itself. Not base-ui's Tooltip, because buttons need it on every page: the first page would grow by
 * 31 kB (gzip). Menus and selects use base-ui because they load after the page.
 */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wrapper = useRef<HTMLSpanElement>(null)
  const popup = useRef<HTMLSpanElement>(null)

  const show = (delay: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), delay)
  }
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const anchor = wrapper.current?.firstElementChild
    if (open && anchor && popup.current) position(popup.current, anchor.getBoundingClientRect())
  }, [open])

  return (
    <span
      ref={wrapper}
      role="presentation"
      className="contents"
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && show(DELAY_MS)}
      onPointerLeave={hide}
      onFocus={({ target }) => target.matches(':focus-visible') && show(0)}
      onBlur={hide}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && hide()}
    >
      {children}
      {open && (
        // the padding keeps the pointer inside on its way to the text
        <span
          ref={popup}
          aria-hidden
          popover="manual"
          className="pointer-events-auto fixed inset-auto m-0 max-w-72 bg-transparent py-1.5 font-normal whitespace-normal"
        >
          <span className="block rounded-control bg-ink px-2 py-1 text-12 text-bg shadow-float">{text}</span>
        </span>
      )}
    </span>
  )
}

/** Above the anchor, or below if there is no room, within the window. In the top layer, so that nothing clips it. */
function position(popup: HTMLElement, anchor: DOMRect): void {
  // older browsers show no tooltip
  if (!('showPopover' in popup)) return
  popup.showPopover()
  const { width, height } = popup.getBoundingClientRect()
  const left = anchor.left + anchor.width / 2 - width / 2
  const top = anchor.top - height >= MARGIN ? anchor.top - height : anchor.bottom
  popup.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
  popup.style.top = `${top}px`
}

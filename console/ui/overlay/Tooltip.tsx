import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react'

/** So that a pointer on its way to somewhere else leaves no trail of tooltips. */
const DELAY_MS = 400
const MARGIN = 8

/**
 * A few words on hover and focus, gone with Escape. What has to be known must not stand here alone: it is for the eye,
 * names and descriptions belong to the element itself. Our own, because a library's weighs 35 kB on every page.
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
    if (open && anchor && popup.current) place(popup.current, anchor.getBoundingClientRect())
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
        // the padding lets a pointer reach the words without leaving
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

/** Above the anchor, below where there is no room; never out of the window. Shown in the top layer, so nothing clips it. */
function place(popup: HTMLElement, anchor: DOMRect): void {
  // older browsers go without
  if (!('showPopover' in popup)) return
  popup.showPopover()
  const { width, height } = popup.getBoundingClientRect()
  const left = anchor.left + anchor.width / 2 - width / 2
  const top = anchor.top - height >= MARGIN ? anchor.top - height : anchor.bottom
  popup.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
  popup.style.top = `${top}px`
}

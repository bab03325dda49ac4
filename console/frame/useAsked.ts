import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Asked } from '../routes/search.ts'

/** Whether the page's address asks for this, as the palette does with `?open=rotate`, and what asks for it or ends that. */
export function useAsked(what: Asked): [asked: boolean, ask: (asked: boolean) => void] {
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  return [
    open === what,
    (asked) =>
      void navigate({
        to: '.',
        search: (search) => ({ ...search, open: asked ? what : undefined }),
        hash: true,
        replace: true,
        resetScroll: false,
      }),
  ]
}

/** What the address asked for: the heading of the new page does not take its focus. */
export const ASKED = 'data-asked'

/** Frames in which an element is waited for. It may never appear: attack mode that is on has no button that starts it. */
const MOST_FRAMES = 600

/** Gives an element the focus once the address asks for it: what has no dialog. */
export function useFocusWhenAsked<Target extends HTMLElement>(what: Asked) {
  const target = useRef<Target>(null)
  const [asked, ask] = useAsked(what)
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    if (!asked) return undefined
    let frame = 0
    let frames = 0
    const attempt = () => {
      const element = target.current
      element?.setAttribute(ASKED, '')
      element?.focus()
      // not as long as it is hidden, because a part of the page still loads
      if ((element && document.activeElement === element) || ++frames > MOST_FRAMES) latest.current(false)
      else frame = requestAnimationFrame(attempt)
    }
    attempt()
    return () => cancelAnimationFrame(frame)
  }, [asked])
  return target
}

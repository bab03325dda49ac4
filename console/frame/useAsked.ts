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

/** Gives an element the focus once the address asks for it: what has no dialog. */
export function useFocusWhenAsked<Target extends HTMLElement>(what: Asked) {
  const target = useRef<Target>(null)
  const [asked, ask] = useAsked(what)
  useEffect(() => {
    if (!asked) return
    target.current?.focus()
    ask(false)
  }, [asked, ask])
  return target
}

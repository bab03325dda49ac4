import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** What was done to a stand-in before the control itself was there. */
export type Early = {
  /** Somebody asked for it already: it opens at once. */
  wanted: boolean
  /** Whether the stand-in has the focus; read when the control takes its place, for it takes the focus as well. */
  held: RefObject<boolean>
}

/**
 * For a control that is loaded after the page and has a stand-in until then, which listens to the press of a pointer, the
 * click of a key, the arrows, and to the focus coming and going.
 */
export function useEarly() {
  const [wanted, setWanted] = useState(false)
  const held = useRef(false)
  const want = () => setWanted(true)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    // the page stays where it is
    event.preventDefault()
    want()
  }
  const hold = (is: boolean) => () => {
    held.current = is
  }
  const early: Early = { wanted, held }
  return { early, listeners: { onMouseDown: want, onClick: want, onKeyDown, onFocus: hold(true), onBlur: hold(false) } }
}

/** For the control that takes a stand-in's place: a ref for its button, which takes over the focus. */
export function useHeld({ wanted, held }: Early): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  // read while the stand-in is still there; what opens at once takes the focus itself
  const [takes] = useState(() => held.current && !wanted)
  useEffect(() => {
    if (takes) button.current?.focus()
  }, [takes])
  return button
}

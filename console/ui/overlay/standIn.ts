import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** What happened to a placeholder button before its control had loaded. */
export type StandIn = {
  /** It was pressed: the control opens as soon as it is shown. */
  pressed: boolean
  /** Whether it has the focus. Read when the control replaces it, so that the control can take the focus over. */
  focused: RefObject<boolean>
}

/**
 * State and listeners of the placeholder for a control that loads after the page. The placeholder reacts to pointer, Enter,
 * Space and the arrow keys like the control.
 */
export function useStandIn() {
  const [pressed, setPressed] = useState(false)
  const focused = useRef(false)
  const press = () => setPressed(true)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    // do not scroll the page
    event.preventDefault()
    press()
  }
  const setFocused = (value: boolean) => () => {
    focused.current = value
  }
  const standIn: StandIn = { pressed, focused }
  return {
    standIn,
    listeners: {
      onMouseDown: press,
      onClick: press,
      onKeyDown,
      onFocus: setFocused(true),
      onBlur: setFocused(false),
    },
  }
}

/** A ref for the button of the loaded control. It takes the focus over from the placeholder. */
export function useFocusFrom({ pressed, focused }: StandIn): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  // read while the placeholder is still mounted; a control that opens at once moves the focus itself
  const [takesFocus] = useState(() => focused.current && !pressed)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return button
}

const RETRY_MS = 3000

/** Loads a part of the page that has a placeholder. While it can't be loaded, the placeholder stays and this tries again. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

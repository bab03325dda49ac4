import { type KeyboardEvent, useState } from 'react'

/**
 * For a control that is loaded after the page and has a stand-in until then: whether somebody wanted it already, so that
 * it opens once it is there, and what the stand-in listens to: the press of a pointer, the click of a key, the arrows.
 */
export function useEarly() {
  const [wanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    // the page stays where it is
    event.preventDefault()
    want()
  }
  return { wanted, listeners: { onMouseDown: want, onClick: want, onKeyDown } }
}

/** What was typed so far; undefined while keys are not kept. */
let kept: string | undefined
let stop = () => {}

/**
 * From now on keeps what is typed, for an input that does not have the focus yet because its code still loads. `onCancel` is
 * called on Escape and on a click.
 */
export function keepTyped(onCancel: () => void): void {
  if (kept !== undefined) return
  kept = ''
  const cancel = () => {
    takeTyped()
    onCancel()
  }
  const onKey = (event: KeyboardEvent) => {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Escape') cancel()
    else if (key === 'Backspace') kept = kept?.slice(0, -1)
    // one character; other keys have a longer name
    else if (key.length === 1) kept += key
    else if (key !== 'Enter') return
    // neither a shortcut nor for what has the focus
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', onKey, { capture: true })
  addEventListener('pointerdown', cancel, { capture: true })
  stop = () => {
    removeEventListener('keydown', onKey, { capture: true })
    removeEventListener('pointerdown', cancel, { capture: true })
  }
}

/** Stops keeping keys, and returns what was typed. */
export function takeTyped(): string {
  const typed = kept ?? ''
  kept = undefined
  stop()
  return typed
}

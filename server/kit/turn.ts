let next: Promise<void> | undefined

/** Resolves in the next turn of the event loop, for all that wait for it together. */
export function nextTurn(): Promise<void> {
  return (next ??= new Promise((resolve) =>
    setImmediate(() => {
      next = undefined
      resolve()
    }),
  ))
}

/** Calls `task` when its value is first needed. A value that was rejected is computed again by the next call. */
export function once<T>(task: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= task()
    value.catch(() => {
      value = undefined
    })
    return value
  }
}

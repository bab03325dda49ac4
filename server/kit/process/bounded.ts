import { AppError } from '../error.ts'

/** The result of `work`, or the refusal `unavailable` after `milliseconds`. The work itself continues and may commit. */
export function bounded<Out>(milliseconds: number, work: Promise<Out>): Promise<Out> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('unavailable')), milliseconds)
    const inTime =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer)
        settle(value)
      }
    // not with finally, which makes more promises
    work.then(inTime(resolve), inTime(reject))
  })
}

import { AppError } from '../kit/error.ts'

/** The result of `work`, or the refusal `unavailable` after `milliseconds`. The work itself continues and may commit. */
export function bounded<Out>(milliseconds: number, work: Promise<Out>): Promise<Out> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('unavailable')), milliseconds)
    // not with finally, which makes three more promises
    work.then(
      (out) => {
        clearTimeout(timer)
        resolve(out)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

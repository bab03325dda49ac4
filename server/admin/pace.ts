import type { Config } from '../kit/config.ts'
import { AppError } from '../kit/error.ts'
import { TokenBuckets } from '../kit/tokenBuckets.ts'

/** Seconds of the rate that can be used at once: a page of the console makes about ten calls. */
const BURST_SECONDS = { calls: 5, changes: 10 }

/** Counts a person's calls to the console's API on this node, and changes also separately. Throws AppError above the rate. */
export type Pacing = (userId: string, isChange: boolean) => void

export function createPacing({ consoleCallsPerSecond, consoleChangesPerSecond }: Config): Pacing {
  const pace = (rate: number, seconds: number) => ({ rate, burst: rate * seconds })
  const calls = pace(consoleCallsPerSecond, BURST_SECONDS.calls)
  const changes = pace(consoleChangesPerSecond, BURST_SECONDS.changes)
  const buckets = new TokenBuckets({ maxKeys: 20_000 })
  return (userId, isChange) => {
    const wait = buckets.take(userId, calls) || (isChange ? buckets.take(`${userId} change`, changes) : 0)
    if (wait > 0) throw new AppError('calls-too-fast', { wait, retryAfter: wait })
  }
}

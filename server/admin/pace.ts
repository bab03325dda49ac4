import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import type { Rule } from '../kit/limits/limiter.ts'
import { takeAll } from '../kit/limits/takeAll.ts'

/** Seconds of the rate that can be used at once: a page of the console makes about ten calls. */
const BURST_SECONDS = { calls: 5, changes: 10 }

/** Counts a person's calls to the console's API, and changes also separately. Throws AppError above the rate. */
export type Pacing = (userId: string, isChange: boolean) => Promise<void>

export function createPacing({ limiter, config }: Pick<Context, 'limiter' | 'config'>): Pacing {
  const rule = (name: string, rate: number, duration: number): Rule => ({ name, points: rate * duration, duration })
  const calls = rule('console-calls', config.consoleCallsPerSecond, BURST_SECONDS.calls)
  const changes = rule('console-changes', config.consoleChangesPerSecond, BURST_SECONDS.changes)
  return async (userId, isChange) => {
    const limits = isChange ? [calls, changes] : [calls]
    const { retryAfter } = await takeAll(
      { limiter },
      limits.map((each) => [each, userId]),
    )
    if (retryAfter > 0) throw new AppError('calls-too-fast', { wait: retryAfter, retryAfter })
  }
}

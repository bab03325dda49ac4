import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'

/** Seconds of the rate that can be used at once: a page of the console makes about ten calls. */
const BURST_SECONDS = { calls: 5, changes: 10 }

/** Counts a person's calls to the console's API on this node, and changes also separately. Throws AppError above the rate. */
export type Pacing = (userId: string, isChange: boolean) => Promise<void>

export function createPacing({ bounds, config }: Pick<Context, 'bounds' | 'config'>): Pacing {
  const pace = (name: string, rate: number, seconds: number) => ({ name, rate, burst: rate * seconds })
  const calls = pace('console calls', config.consoleCallsPerSecond, BURST_SECONDS.calls)
  const changes = pace('console changes', config.consoleChangesPerSecond, BURST_SECONDS.changes)
  return async (userId, isChange) => {
    const wait = (await bounds.takeToken(calls, userId)) || (isChange ? await bounds.takeToken(changes, userId) : 0)
    if (wait > 0) throw new AppError('calls-too-fast', { wait, retryAfter: wait })
  }
}

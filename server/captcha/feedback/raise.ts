import type { VisitorCtx } from '../../accounts/access.ts'
import type { Context, Resource } from '../../kit/context.ts'
import { beginOfNewest, MARKS_CHANGED, readMarks, subjectHash } from '../../ledger/feedback/marks.ts'
import { hashesOf } from '../challenges/visitor.ts'
import { COUNTS_MS, FeedbackLevels } from './levels.ts'

const MOST = { mostOfTenant: 10_000, most: 100_000 }
/** How old marks can be if the message about them is lost. */
const POLL_MS = 30_000
/** Transactions commit in another order than their times: longer than any that marks. */
const OVERLAP_MS = 15_000

const LEVELS: Resource<FeedbackLevels> = { name: 'feedback levels', make: () => new FeedbackLevels(MOST) }

/** How often reports of abuse double the difficulty for this visitor and subject: 0–2. Reads memory only. */
export function feedbackDoublings(ctx: VisitorCtx, subject: string | null, now: number): number {
  const client = () => {
    const { network, area } = hashesOf(ctx)
    return { network, area, subject: subject === null ? null : subjectHash(subject) }
  }
  return ctx.resources.of(LEVELS).doublings(ctx.site.tenantId, client, now)
}

/**
 * Reads the marks of this deployment, and again what changed at each message and every 30 s. `stop` ends that.
 * `refresh` resolves when the marks that are committed now have been read.
 */
export async function followMarks(ctx: Context): Promise<{ refresh: () => Promise<void>; stop: () => void }> {
  const marks = ctx.resources.of(LEVELS)
  const keptMs = Math.min(COUNTS_MS, ctx.config.retention.networkDays * 86_400_000)
  let since = Math.max(ctx.clock.now() - keptMs, await beginOfNewest(ctx.hotPool, MOST.most))
  const read = async () => {
    await readMarks(ctx.hotPool, since - OVERLAP_MS, (mark) => {
      marks.put(mark)
      since = Math.max(since, mark.changedAt)
    })
    marks.dropOlder(ctx.clock.now() - keptMs)
  }
  let reading = read()
  await reading
  let queued: Promise<void> | undefined
  // one at a time: a request during a read starts one more afterwards, which many requests share
  const refresh = (): Promise<void> => {
    queued ??= reading
      .catch(() => {})
      .then(() => {
        queued = undefined
        reading = read()
        return reading
      })
    return queued
  }
  const refreshed = () =>
    void refresh().catch((err: unknown) => ctx.log.debug({ err }, 'could not read the feedback marks'))
  ctx.invalidations.subscribe((changed) => {
    if (changed === undefined || changed === MARKS_CHANGED) refreshed()
  })
  const poll = setInterval(refreshed, POLL_MS).unref()
  return { refresh, stop: () => clearInterval(poll) }
}

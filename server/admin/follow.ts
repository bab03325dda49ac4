import { setTimeout as sleep } from 'node:timers/promises'
import { tracked } from '@trpc/server'
import type { MemberCtx } from '../accounts/access.ts'
import type { Permission } from '../contract/permissions.ts'
import { AppError } from '../kit/error.ts'
import type { DecisionQuery } from '../ledger/decisions/read.ts'
import { tailDecisions } from '../ledger/decisions/tail.ts'
import { admitTo } from './admit.ts'
import { toTrpcError } from './errors.ts'
import type { AdminCtx } from './trpc.ts'

const STEP_MS = 1000
/** Steps after which the listener is checked again, because a session or a membership may have ended. */
const ADMITTED_FOR = 5
/** Steps after which the position is sent even if nothing happened, so that little has to be read again. */
const SILENT_FOR = 15

type Followed = { tenant: string; permission: Permission; filters: DecisionQuery; after: number | undefined }

/**
 * The tenant's decisions as they become visible, for as long as the listener has the permission. Each event's id is the
 * position to continue from. The first event is sent immediately.
 */
export async function* follow(
  ctx: AdminCtx & { member: MemberCtx },
  { tenant, permission, filters, after }: Followed,
  gone: AbortSignal | undefined,
) {
  const end = AbortSignal.any([ctx.streams.closing, ...(gone ? [gone] : [])])
  const giveBack = await ctx.streams.open(ctx.member.user.id)
  try {
    const tail = tailDecisions(ctx.member, ctx.member.tenant, filters, { after })
    for (let steps = 0, silent = SILENT_FOR; ; steps++, silent++) {
      if (steps > 0 && steps % ADMITTED_FOR === 0) await admitTo(await ctx.again(), tenant, { permission })
      const { rows, full } = await tail.next()
      if (rows.length > 0 || silent >= SILENT_FOR) {
        silent = 0
        yield tracked(tail.position().toFixed(6), { rows })
      }
      if (full) end.throwIfAborted()
      else await sleep(STEP_MS, undefined, { signal: end })
    }
  } catch (cause) {
    // not the end of the list: the listener reconnects, to this node or another
    if (ctx.streams.closing.aborted) throw toTrpcError(new AppError('unavailable', { cause }))
    if (end.aborted) return
    throw toTrpcError(cause)
  } finally {
    giveBack()
  }
}

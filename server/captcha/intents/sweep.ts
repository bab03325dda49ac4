import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../kit/context.ts'
import { firstIdOf } from '../../kit/ids.ts'

const CHUNK = 1000

const SWEEP = {
  name: 'sweep_intents',
  text: `/* sweep_intents */ with old as (
      select id, tenant_id from intent
      where id < ${firstIdOf('now() - make_interval(hours => $1::int)')} and created_at < now() - make_interval(hours => $1::int)
      order by id limit ${CHUNK} for update skip locked
    )
    delete from intent i using old where i.id = old.id and i.tenant_id is not distinct from old.tenant_id returning 1`,
}

/**
 * Deletes intents that expired long ago, a thousand at a time, pausing four times as long as each batch took, so that the
 * verification path is hardly affected. Returns how many. A decision contains everything needed of its intent. `signal`: ends it
 * after a batch.
 */
export async function sweepIntents(ctx: Context, signal?: AbortSignal): Promise<number> {
  for (let swept = 0; ; ) {
    const began = performance.now()
    const rows = await ctx.hotPool.query(SWEEP, [ctx.config.retention.intentHours])
    swept += rows.length
    if (rows.length < CHUNK || signal?.aborted) return swept
    await sleep((performance.now() - began) * 4)
  }
}

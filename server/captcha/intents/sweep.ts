import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../kit/context.ts'
import { firstIdOf, LEAST_ID } from '../../kit/ids.ts'

const CHUNK = 1000

type Batch = { last: string | null; n: number }

/** `$2`: the last id of the batch before, so that no statement passes again the index entries that earlier ones left behind. */
const SWEEP = {
  name: 'sweep_intents',
  text: `/* sweep_intents */ with old as (
      select id, tenant_id from intent
      where id > $2::uuid and id < ${firstIdOf('now() - make_interval(hours => $1::int)')}
        and created_at < now() - make_interval(hours => $1::int)
      order by id limit ${CHUNK} for update skip locked
    ), deleted as (
      delete from intent i using old where i.id = old.id and i.tenant_id is not distinct from old.tenant_id returning 1
    )
    select (select id::text from old order by id desc limit 1) as last, (select count(*) from deleted)::int as n`,
}

/**
 * Deletes intents that expired long ago, a thousand at a time, pausing four times as long as each batch took, so that the
 * verification path is hardly affected. Returns how many. A decision contains everything needed of its intent. `signal`: ends it
 * after a batch.
 */
export async function sweepIntents(ctx: Context, signal?: AbortSignal): Promise<number> {
  let after = LEAST_ID
  for (let swept = 0; ; ) {
    const began = performance.now()
    const [batch] = await ctx.hotPool.query<Batch>(SWEEP, [ctx.config.retention.intentHours, after])
    swept += batch?.n ?? 0
    if (!batch?.last || batch.n < CHUNK || signal?.aborted) return swept
    after = batch.last
    await sleep((performance.now() - began) * 4)
  }
}

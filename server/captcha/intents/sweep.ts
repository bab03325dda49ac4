import type { Context } from '../../kit/context.ts'
import { firstIdOf, LEAST_ID } from '../../kit/crypto/ids.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'

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
 * Deletes intents that expired long ago, a thousand at a time. Returns how many. A decision contains everything needed of its
 * intent. `signal`: ends it after a batch.
 */
export async function sweepIntents(ctx: Context, pace: Pace = atOnce, signal?: AbortSignal): Promise<number> {
  let after = LEAST_ID
  for (let swept = 0; ; ) {
    const [batch] = await pace(() => ctx.hotPool.query<Batch>(SWEEP, [ctx.config.retention.intentHours, after]))
    swept += batch?.n ?? 0
    if (!batch?.last || batch.n < CHUNK || signal?.aborted) return swept
    after = batch.last
  }
}

import type { Context } from '../../kit/context.ts'
import { firstIdOf, LEAST_ID } from '../../kit/crypto/ids.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'

const CHUNK = 5000

type Batch = { last: string | null; n: number }

/** `$2`: the last id of the batch before, so that no statement passes again the index entries that earlier ones left behind. */
const SWEEP = {
  name: 'sweep_refusals',
  text: `/* sweep_refusals */ with old as (
      select id, tenant_id from refusal
      where id > $2::uuid and id < ${firstIdOf('now() - make_interval(days => $1::int)')}
        and at < now() - make_interval(days => $1::int)
      order by id limit ${CHUNK} for update skip locked
    ), deleted as (
      delete from refusal r using old where r.id = old.id and r.tenant_id is not distinct from old.tenant_id returning 1
    )
    select (select id::text from old order by id desc limit 1) as last, (select count(*) from deleted)::int as n`,
}

/** Deletes refusals older than a setting and keeps their counts. Returns how many. */
export async function sweepRefusals(
  { hotPool, config }: Pick<Context, 'hotPool' | 'config'>,
  pace: Pace = atOnce,
): Promise<number> {
  let after = LEAST_ID
  for (let swept = 0; ; ) {
    const [batch] = await pace(() => hotPool.query<Batch>(SWEEP, [config.retention.refusalDays, after]))
    swept += batch?.n ?? 0
    if (!batch?.last || batch.n < CHUNK) return swept
    after = batch.last
  }
}

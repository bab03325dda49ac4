import type { Context } from '../../kit/context.ts'
import { firstIdOf } from '../../kit/ids.ts'

const CHUNK = 5000

const SWEEP = {
  name: 'sweep_refusals',
  text: `/* sweep_refusals */ with old as (
      select id, tenant_id from refusal
      where id < ${firstIdOf('now() - make_interval(days => $1::int)')} and at < now() - make_interval(days => $1::int)
      order by id limit ${CHUNK} for update skip locked
    )
    delete from refusal r using old where r.id = old.id and r.tenant_id is not distinct from old.tenant_id returning 1`,
}

/** Deletes refusals older than a setting and keeps their counts. Returns how many. */
export async function sweepRefusals({ hotPool, config }: Pick<Context, 'hotPool' | 'config'>): Promise<number> {
  for (let swept = 0; ; ) {
    const rows = await hotPool.query(SWEEP, [config.retention.refusalDays])
    swept += rows.length
    if (rows.length < CHUNK) return swept
  }
}

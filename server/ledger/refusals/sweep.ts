import type { Context } from '../../kit/context.ts'
import { firstIdOf } from '../../kit/ids.ts'

const CHUNK = 5000

const SWEEP = {
  name: 'sweep_refusals',
  text: `/* sweep_refusals */ with old as (
      select id, tenant_id from refusal where id < ${firstIdOf("now() - interval '30 days'")}
      order by id limit ${CHUNK} for update skip locked
    )
    delete from refusal r using old where r.id = old.id and r.tenant_id is not distinct from old.tenant_id returning 1`,
}

/** Deletes refusals older than 30 days and keeps their counts. Returns how many. */
export async function sweepRefusals({ hotPool }: Pick<Context, 'hotPool'>): Promise<number> {
  for (let swept = 0; ; ) {
    const rows = await hotPool.query(SWEEP, [])
    swept += rows.length
    if (rows.length < CHUNK) return swept
  }
}

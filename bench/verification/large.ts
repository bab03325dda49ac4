import pg from 'pg'
import { reconcile } from '../../server/ledger/quota/reconcile.ts'
import { fill } from '../insight/fill.ts'
import type { Bed, Site } from './bed.ts'
import { measureLevels } from './levels.ts'
import { type Row, rowsOf } from './measure.ts'

const MILLION = 1_000_000
const LEVEL = 64

/** An endpoint on large tables beside the same on empty ones. */
type Compared = { endpoint: string; throughput: number; p99: number; node: number; postgres: number }

/**
 * Measures at concurrency 64 on an empty database, fills it with `millions` of intents and of decisions by SQL, and measures
 * again, with the jobs of the service and a reconciliation running.
 */
export async function measureLarge(
  bed: Bed,
  sites: readonly Site[],
  { millions, requests }: { millions: number; requests: number },
): Promise<{ empty: Row[]; large: Row[]; ratios: Compared[] }> {
  const measure = async () => rowsOf(await measureLevels(bed, sites, { levels: [LEVEL], requests }))
  const empty = await measure()
  const sql = new pg.Pool({ connectionString: bed.ownerUrl, max: 2 })
  const rows = millions * MILLION
  await fill(sql, { intents: rows, decisions: rows, refusals: rows / 10, tenants: 200 }, console.log)
  await sql.end()
  // as after a deployment: the statements are planned with what the tables are now
  await bed.restart()
  const reconciled = reconcile(bed.service.ctx)
  const large = await measure()
  await reconciled
  const ratios = large.flatMap((row) => {
    const before = empty.find(({ endpoint }) => endpoint === row.endpoint)
    if (!before) return []
    const of = (name: 'node' | 'postgres' | 'p99') => row[name] / before[name]
    const throughput = row.perSecond / before.perSecond
    return { endpoint: row.endpoint, throughput, p99: of('p99'), node: of('node'), postgres: of('postgres') }
  })
  return { empty, large, ratios }
}

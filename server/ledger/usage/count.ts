import type { Context } from '../../kit/context.ts'
import { batchStatement } from '../../kit/db/arrays.ts'
import { writeBuffer } from '../../kit/db/writeBuffer.ts'

/** A measure and its label: see prisma/ledger.prisma. */
export type UsageMeasure =
  | 'intents'
  | 'challenged'
  | 'solved'
  | 'exempted'
  | 'redeemed'
  | 'refused'
  | 'solve_time'
  | 'work'
  | 'feedback_type'
  | 'feedback_action'
  | 'feedback_solve_time'
  | 'feedback_work'

/** `at`: milliseconds since the epoch by the database's clock. A negative `n` subtracts. */
export type Count = { measure: UsageMeasure; label?: string; at: number; n?: number }

type Item = { tenantId: string; siteId: string; hour: number; measure: UsageMeasure; label: string; n: number }

const ADD = batchStatement<Item>(
  'add_usage',
  {
    tenant: ['uuid', (i) => i.tenantId],
    site: ['uuid', (i) => i.siteId],
    hour: ['float8', (i) => i.hour * 3600],
    measure: ['text', (i) => i.measure],
    label: ['text', (i) => i.label],
    n: ['int8', (i) => i.n],
  },
  ({ call }) => `select add_usage(${call})`,
)

const HOUR_MS = 3_600_000
/** Counts that may wait to be written: a few hundred bytes each. */
const MAX_WAITING = 20_000

const BUFFER = writeBuffer<Item>('usage', {
  max: MAX_WAITING,
  merge(waiting, added) {
    waiting.n += added.n
    return waiting
  },
  write: (pool, items) => pool.query(ADD, ADD.values(items)),
})

/** Adds to a count of a site without waiting; a write buffer stores it about a second later. */
export function countUsage(
  ctx: Pick<Context, 'resources'>,
  site: { id: string; tenantId: string },
  count: Count,
): void {
  const { measure, label = '', at, n = 1 } = count
  const hour = Math.floor(at / HOUR_MS)
  ctx.resources.of(BUFFER).add(`${site.id} ${hour} ${measure} ${label}`, {
    tenantId: site.tenantId,
    siteId: site.id,
    hour,
    measure,
    label,
    n,
  })
}

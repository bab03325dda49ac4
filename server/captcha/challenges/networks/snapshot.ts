import type { Context } from '../../../kit/context.ts'
import { COUNTS, type CounterName } from './counts.ts'

const EVERY_MS = 60_000

/** What is kept of each kind: the loudest networks and subjects, and every site. */
const MOST: Partial<Record<CounterName, number>> = {
  own: 2000,
  network: 2000,
  usual: 2000,
  subject: 2000,
  all: 1,
  siteNow: 20_000,
  siteUsual: 20_000,
  fallback: 1,
  fallbackUsual: 2000,
}

type Row = { weights: [key: string, value: number, age: number][]; passed: number }

/**
 * Brings back the counters behind the difficulty after a restart, and keeps them for the next one: from Redis, or without
 * Redis in a row of the database, written every minute and at the end. Of several nodes without Redis, the last one that
 * wrote is read. `close` writes what was counted last.
 */
export async function keepCounts(ctx: Context): Promise<{ close(): Promise<void> }> {
  const counts = ctx.resources.of(COUNTS)
  if (ctx.exchange) {
    // gets the loud keys, now or as soon as Redis is connected
    void counts.share()
    return { close: () => counts.close() }
  }
  await logged(ctx, 'could not be read', () => read(ctx))
  const save = () => logged(ctx, 'could not be written', () => write(ctx))
  const timer = setInterval(() => void save(), EVERY_MS).unref()
  return {
    async close() {
      clearInterval(timer)
      await save()
    },
  }
}

/** Without its counters a node starts with calm networks, which is better than not at all. */
async function logged({ log }: Context, what: string, work: () => Promise<void>): Promise<void> {
  await work().catch((err: unknown) => log.warn({ err }, `the counts of networks, subjects and sites ${what}`))
}

async function read({ prisma, resources }: Context): Promise<void> {
  const [row] = await prisma.$queryRaw<Row[]>`
    select weights, (extract(epoch from now() - written_at) * 1000)::float8 as passed from challenge_counts`
  if (!row) return
  const weights = row.weights.map(([key, value, age]) => ({ key, value, age }))
  resources.of(COUNTS).merge(weights, row.passed)
}

async function write({ prisma, resources }: Context): Promise<void> {
  const counts = resources.of(COUNTS)
  if (counts.isSaved) return
  counts.isSaved = true
  const weights = (Object.entries(MOST) as [CounterName, number][])
    .flatMap(([kind, most]) => counts.loudest(kind, most))
    .map(({ key, value, age }) => [key, Number(value.toFixed(3)), Math.round(age)])
  await prisma.$executeRaw`
    insert into challenge_counts (id, weights, written_at) values (1, ${JSON.stringify(weights)}::jsonb, now())
    on conflict (id) do update set weights = excluded.weights, written_at = excluded.written_at`
}

import type pg from 'pg'

/** A read of the console, called with one of several inputs in turn. */
export type Case = { name: string; call: (turn: number) => Promise<unknown>; limit: number }

/** Tables that must always be read by an index. */
const LARGE = ['intent', 'decision', 'refusal', 'feedback_event', 'captcha_grant', 'usage_hour', 'usage_day']

type Row = {
  procedure: string
  'p50 ms': string
  'p95 ms': string
  'limit ms': number
  'sequential scans': string
  ok: boolean
}

async function scans(sql: pg.Pool): Promise<Map<string, number>> {
  await sql.query('select pg_stat_force_next_flush()')
  const { rows } = await sql.query<{ name: string; n: string }>(
    'select relname as name, seq_scan as n from pg_stat_user_tables where relname = any($1)',
    [LARGE],
  )
  return new Map(rows.map(({ name, n }) => [name, Number(n)]))
}

/** Calls a case `turns` times after a few unmeasured calls; returns the times and the tables that were scanned completely. */
export async function measure(sql: pg.Pool, { name, call, limit }: Case, turns: number): Promise<Row> {
  for (let turn = 0; turn < 3; turn++) await call(turn)
  // statistics of other sessions arrive within a second
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const before = await scans(sql)
  const times: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const began = performance.now()
    await call(turn)
    times.push(performance.now() - began)
  }
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const after = await scans(sql)
  const whole = LARGE.filter((table) => (after.get(table) ?? 0) > (before.get(table) ?? 0))
  const sorted = times.toSorted((a, b) => a - b)
  const at = (p: number) => sorted[Math.ceil(sorted.length * p) - 1] ?? 0
  return {
    procedure: name,
    'p50 ms': at(0.5).toFixed(1),
    'p95 ms': at(0.95).toFixed(1),
    'limit ms': limit,
    'sequential scans': whole.join(' '),
    ok: at(0.95) < limit && whole.length === 0,
  }
}

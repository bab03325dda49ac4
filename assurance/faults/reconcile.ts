import pg from 'pg'
import { CHECKS, INDEXES, TABLES } from './checks.ts'
import { type Line, readHistory } from './history.ts'

/** Violations of one check, with examples. */
export type Violation = { check: string; count: number; examples: string[] }

/** `redeemed`: acknowledged redemptions, each counted once. */
export type Reconciled = {
  attempts: number
  acknowledged: number
  refused: number
  ambiguous: number
  redeemed: number
  violations: Violation[]
}

/** The lines of an hour are more than one value of PostgreSQL can hold. */
const PER_INSERT = 20_000

/** Copies one kind of line into its table: `columns` are the names in the table and what they are in the line. */
async function copy(
  client: pg.ClientBase,
  table: string,
  columns: Record<string, string>,
  lines: readonly Line[],
): Promise<void> {
  for (let first = 0; first < lines.length; first += PER_INSERT)
    await client.query(
      `insert into ${table} (${Object.keys(columns).join(', ')})
       select ${Object.values(columns).join(', ')} from jsonb_array_elements($1::jsonb) as line`,
      [JSON.stringify(lines.slice(first, first + PER_INSERT))],
    )
}

const text = (name: string, type = 'text') => `(line->>'${name}')::${type}`

/**
 * Compares the lines of a history with what the transaction of `client` sees, with nothing but SQL. Its temporary tables go with
 * the transaction.
 */
export async function reconcileLines(client: pg.ClientBase, lines: readonly Line[]): Promise<Reconciled> {
  const of = (kind: Line['kind']) => lines.filter((line) => line.kind === kind)
  await client.query(TABLES)
  const ids = { tenant: text('tenant', 'uuid'), site: text('site', 'uuid'), body: `line->'body'` }
  const names = { seq: text('seq', 'int'), op: text('op'), purchase: text('purchase'), path: text('path') }
  await copy(client, 'attempt', { ...names, ...ids }, of('attempt'))
  const answer = {
    attempt: text('of', 'int'),
    ms: text('ms', 'float8'),
    status: text('status', 'int'),
    text: text('text'),
  }
  await copy(client, 'answer', { seq: names.seq, ...answer }, of('answer'))
  const units = { quota: text('quota', 'bigint'), balance: text('balance', 'bigint') }
  await copy(client, 'books', { tenant: ids.tenant, ...units }, of('books'))
  await copy(client, 'unconfirmed', { began: text('began', 'int'), ended: names.seq }, of('unconfirmed'))
  await client.query(INDEXES)
  const { rows } = await client.query<Omit<Reconciled, 'violations'>>(
    `select count(*)::int as attempts, count(*) filter (where outcome = 'acknowledged')::int as acknowledged,
       count(*) filter (where outcome = 'refused')::int as refused, count(*) filter (where outcome = 'ambiguous')::int as ambiguous,
       count(distinct op) filter (where path = '/siteverify' and outcome = 'acknowledged')::int as redeemed
     from tried`,
  )
  const [counts] = rows
  if (!counts) throw new Error('an aggregate without a row')
  const violations: Violation[] = []
  for (const [check, sql] of Object.entries(CHECKS)) {
    const found = await client.query<{ what: string }>(sql)
    if (found.rows.length === 0) continue
    violations.push({ check, count: found.rows.length, examples: found.rows.slice(0, 3).map(({ what }) => what) })
  }
  return { ...counts, violations }
}

/** The same for the lines of a file from the number `from` on and before `to`, in one snapshot. `url`: of the owner of the tables. */
export async function reconcileHistory(url: string, path: string, from = 1, to?: number): Promise<Reconciled> {
  const client = new pg.Client({ connectionString: url })
  // what ends the connection is the error of the query that it interrupts
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read')
    return await reconcileLines(client, readHistory(path, from, to))
  } finally {
    await client.end()
  }
}

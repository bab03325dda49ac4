import pg from 'pg'
import type { Entry } from './history.ts'

export type Verified = { attempted: number; acknowledged: number; refused: number; faults: string[] }

/** What the history knows about each intent: its answer, if any. */
const HISTORY = `
  create temporary table h as
  select (e->>'intent')::uuid as intent, max((e->>'status')::int) as status,
    max(e->>'text') filter (where e->>'kind' = 'answer')::jsonb as text
  from jsonb_array_elements($1::jsonb) e group by 1`

/** Each returns what is wrong, one row each. `h`: the history. $1: the tenant. */
const CHECKS = {
  'acknowledged, but there is no decision': `
    select h.intent::text as what from h left join decision d on d.id = h.intent where h.status = 200 and d.id is null`,
  'acknowledged with another decision': `
    select h.intent::text as what from h where h.status = 200 and (h.text->>'intent_id')::uuid is distinct from h.intent`,
  'refused or not answered, but charged': `
    select h.intent::text || ' ' || coalesce(h.status::text, 'unanswered') as what from h join decision d on d.id = h.intent
    where h.status is distinct from 200`,
  'a decision without an attempt': `
    select d.id::text as what from decision d left join h on h.intent = d.id where d.tenant_id = $1 and h.intent is null`,
  'charged other than once for each decision': `
    select format('%s units for %s decisions', q.used, d.count) as what
    from (select sum(used) as used from quota_period where tenant_id = $1) q,
      (select count(*) from decision where tenant_id = $1) d
    where q.used is distinct from d.count`,
}

/** Compares the history of a tenant's redemptions with the database, by SQL alone. `url`: of the owner of the tables. */
export async function verifyHistory(url: string, tenant: string, entries: readonly Entry[]): Promise<Verified> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(HISTORY, [JSON.stringify(entries)])
    await client.query('analyze h')
    const { rows } = await client.query<Omit<Verified, 'faults'>>(
      `select count(*)::int as attempted, count(*) filter (where status = 200)::int as acknowledged,
         count(*) filter (where status is distinct from 200)::int as refused from h`,
    )
    const [counts] = rows
    if (!counts) throw new Error('an aggregate without a row')
    const faults: string[] = []
    for (const [check, sql] of Object.entries(CHECKS)) {
      // every check is given the tenant, whether it uses it or not
      const found = await client.query<{ what: string }>(`select what from (${sql}) found where $1::uuid is not null`, [
        tenant,
      ])
      const [first] = found.rows
      if (first) faults.push(`${check}: ${found.rows.length}, for example ${first.what}`)
    }
    return { ...counts, faults }
  } finally {
    await client.end()
  }
}

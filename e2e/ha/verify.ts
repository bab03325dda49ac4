import { runSql } from './cluster.ts'
import type { Entry } from './history.ts'

export type Verified = { attempted: number; acknowledged: number; refused: number; faults: string[] }

/** What the history knows about each intent: its last answer, if any. */
const INTENTS = `
  select a.intent, b.status, b.text
  from (select distinct (e->>'intent')::uuid as intent from jsonb_array_elements($1::jsonb) e where e->>'kind' = 'attempt') a
  left join (select (e->>'intent')::uuid as intent, (e->>'status')::int as status, (e->>'text')::jsonb as text
    from jsonb_array_elements($1::jsonb) e where e->>'kind' = 'answer') b on b.intent = a.intent`

/** Each returns what is wrong, one row each. $1: the history, $2: the tenant. */
const CHECKS = {
  'acknowledged, but there is no decision': `
    select h.intent::text as what from h left join decision d on d.id = h.intent where h.status = 200 and d.id is null`,
  'acknowledged with another decision': `
    select h.intent::text as what from h where h.status = 200 and (h.text->>'intent_id')::uuid is distinct from h.intent`,
  'two decisions for an intent': `
    select d.id::text as what from decision d where d.tenant_id = $2 group by d.id having count(*) > 1`,
  'refused or not answered, but charged': `
    select h.intent::text || ' ' || coalesce(h.status::text, 'unanswered') as what from h join decision d on d.id = h.intent
    where h.status is distinct from 200`,
  'a decision that nobody asked for': `
    select d.id::text as what from decision d left join h on h.intent = d.id where d.tenant_id = $2 and h.intent is null`,
  'charged other than once for each decision': `
    select format('%s units for %s decisions', q.used, d.count) as what
    from (select sum(used) as used from quota_period where tenant_id = $2) q,
      (select count(*) from decision where tenant_id = $2) d
    where q.used is distinct from d.count`,
}

/** Compares the history of a tenant's redemptions with the database, by SQL alone. `url`: of the owner of the tables. */
export async function verifyHistory(url: string, tenant: string, entries: readonly Entry[]): Promise<Verified> {
  const history = JSON.stringify(entries)
  const [counts] = await runSql<Omit<Verified, 'faults'>>(
    url,
    `with h as (${INTENTS}) select count(*)::int as attempted, count(*) filter (where status = 200)::int as acknowledged,
       count(*) filter (where status is distinct from 200)::int as refused from h`,
    [history],
  )
  if (!counts) throw new Error('an aggregate without a row')
  const faults: string[] = []
  for (const [check, sql] of Object.entries(CHECKS)) {
    // every check is given both values, whether it uses them or not
    const found = await runSql<{ what: string }>(
      url,
      `with h as (${INTENTS}) select found.what from (${sql}) found where $2::uuid is not null`,
      [history, tenant],
    )
    if (found.length > 0) faults.push(`${check}: ${found.length}, for example ${found[0]?.what}`)
  }
  return { ...counts, faults }
}

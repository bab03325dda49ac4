import { PLAYGROUND_ACTION, PROBE_ACTIONS } from '../../../contract/names.ts'
import type { Db } from '../../../kit/db/transact.ts'

/** Refused calls of one kind. `intents`: how many different intents they named. `lastAt`: Unix seconds. */
export type RefusedKind = {
  endpoint: string
  code: string
  field: string | null
  hostname: string | null
  count: number
  /** Those of the last 24 hours. */
  daily: number
  intents: number
  lastAt: number
}

/** A secret of the site, by the database's clock. Times in Unix seconds. */
export type SecretUse = {
  last4: string
  state: 'live' | 'ending' | 'ended'
  createdAt: number
  /** When it ended or will end; null if it does not. */
  endsAt: number | null
  /** Used, or refused after it ended. Null if it was not, in the days that are examined. */
  usedAt: number | null
  refusedAt: number | null
  usedBy: string | null
  usedFrom: string | null
}

/** Calls that have something in common, such as the retries that used a new key. */
export type Calls = { count: number; lastAt: number | null }

export type Evidence = {
  sitekey: string
  hostnames: string[]
  /** Newest first. */
  secrets: SecretUse[]
  refused: RefusedKind[]
  /** `already-redeemed` less than a minute after the redemption of the same intent. */
  newKeyRetries: Calls
  /** `intent-expired` at /challenge or /solve, for intents that are in more than one such call. */
  sharedIntents: Calls
  intents: Calls
  decisions: Calls
}

/** How far back the doctor looks. */
export const DAYS = 7
/** Most refusals that it reads. A flood is stored up to a rate. */
const MOST = 10_000
/** A retry comes at once; a later repetition may be a visitor who went back to the form. */
const RETRY_SECONDS = 60

const SINCE = `now() - interval '${DAYS} days'`
/**
 * Without those of the SDK's doctor, and of the console's playground, whose intents are in the audit longer than they are stored.
 */
const LATEST = `(select * from
    (select * from refusal where site_id = $1::uuid and at > ${SINCE} and field is distinct from 'doctor'
      order by at desc limit ${MOST}) latest
  where latest.intent_id is null or latest.intent_id::text not in (
    select after->>'intent' from audit_event
    where tenant_id = (select tenant_id from site where id = $1::uuid) and created_at > ${SINCE} - interval '1 day'
      and action = 'site.try' and target = $1::text and after->>'intent' is not null
  )) r`
const LAST = (time: string) => `floor(extract(epoch from max(${time})))::float8 as "lastAt"`

/** What the site's calls of the last days say about its integration. */
export async function readEvidence({ prisma }: Db, site: { id: string; sitekey: string }): Promise<Evidence> {
  const one = async (sql: string): Promise<Calls> => {
    const [row] = await prisma.$queryRawUnsafe<Calls[]>(sql, site.id)
    return row ?? { count: 0, lastAt: null }
  }
  const [hostnames, secrets, refused, newKeyRetries, sharedIntents, intents, decisions] = await Promise.all([
    prisma.hostname.findMany({ where: { siteId: site.id }, orderBy: { hostname: 'asc' } }),
    prisma.$queryRawUnsafe<SecretUse[]>(
      `select last4, used_by as "usedBy", used_from as "usedFrom",
         floor(extract(epoch from coalesce(revoked_at, expires_at)))::float8 as "endsAt",
         extract(epoch from created_at)::float8 as "createdAt",
         extract(epoch from last_used_at)::float8 as "usedAt",
         case when refused_at > ${SINCE} then floor(extract(epoch from refused_at))::float8 end as "refusedAt",
         case when revoked_at is not null or expires_at <= now() then 'ended'
           when expires_at is not null then 'ending' else 'live' end as state
       from secret where site_id = $1::uuid order by id desc limit 20`,
      site.id,
    ),
    prisma.$queryRawUnsafe<RefusedKind[]>(
      `select endpoint, code, field, hostname, count(*)::float8 as count,
         (count(*) filter (where at > now() - interval '24 hours'))::float8 as daily,
         count(distinct intent_id)::float8 as intents, ${LAST('at')}
       from ${LATEST} group by endpoint, code, field, hostname order by max(at) desc`,
      site.id,
    ),
    one(
      `select count(*)::float8 as count, ${LAST('r.at')} from ${LATEST}
       join decision d on d.id = r.intent_id and d.tenant_id = r.tenant_id
       where r.code = 'already-redeemed' and r.at < d.redeemed_at + interval '${RETRY_SECONDS} seconds'`,
    ),
    one(
      `select coalesce(sum(n), 0)::float8 as count, max(last)::float8 as "lastAt" from (
         select count(*) as n, floor(extract(epoch from max(at))) as last from ${LATEST}
         where code = 'intent-expired' and endpoint in ('/challenge', '/solve') and intent_id is not null
         group by intent_id having count(*) > 2) shared`,
    ),
    one(
      `select count(*)::float8 as count, ${LAST('created_at')} from (select created_at from intent
         where tenant_id = (select tenant_id from site where id = $1::uuid) and site_id = $1::uuid
           and action not in (${PROBE_ACTIONS.map((action) => `'${action}'`).join()}) limit ${MOST}) i`,
    ),
    one(
      `select count(*)::float8 as count, ${LAST('redeemed_at')} from (select redeemed_at from decision
         where site_id = $1::uuid and redeemed_at > ${SINCE}
           and action <> '${PLAYGROUND_ACTION}' order by redeemed_at desc limit ${MOST}) d`,
    ),
  ])
  return {
    sitekey: site.sitekey,
    hostnames: hostnames.map(({ hostname }) => hostname),
    secrets,
    refused,
    newKeyRetries,
    sharedIntents,
    intents,
    decisions,
  }
}

import { isSitekey } from '../../contract/ids.ts'
import { POLICY, type SitePolicy } from '../../contract/sitePolicy.ts'
import type { Context, Resource } from '../../kit/context.ts'
import { batchStatement } from '../../kit/db/arrays.ts'
import { batchQueue } from '../../kit/db/batch.ts'
import { Cache } from '../../kit/db/cache.ts'
import type { NetworkTable } from '../../kit/http/networkTable.ts'
import { type ListedNetwork, tableOf } from '../networks/tables.ts'
import type { Plan } from '../plans/bounds.ts'
import { type TestBehaviour, testBehaviour } from './testKeys/behaviour.ts'

/** What the verification path needs to know about a site, with its policy. At most 5 s old. */
export type SiteFacts = Readonly<SitePolicy> &
  Readonly<{
    id: string
    tenantId: string
    sitekey: string
    /** Set for a test key: its fixed behaviour. Never billed, and valid on any hostname. */
    test: TestBehaviour | undefined
    /** The site is not paused and its tenant is not suspended. */
    enabled: boolean
    /** Whether the hostname is on the site's list. */
    allows(hostname: string): boolean
    /** Milliseconds by the database's clock: until then all actions are in attack mode. 0: none was set. */
    attackUntil: number
    /** The site's list of networks; undefined if it is empty. */
    networks: NetworkTable<ListedNetwork> | undefined
    /** Of the tenant, when the facts were read. */
    plan: Plan
  }>

export type SiteRow = {
  id: string
  tenant_id: string
  sitekey: string
  enabled: boolean
  hostnames: string[]
  policy: SitePolicy
  attack_until: number
  networks: string[]
  monthly_quota: number
  balance: number
}

/** The row of a key that does not exist. */
export type Unknown = { id: null }

/** The policy's columns as one object: Prisma names them `base_work` for `baseWork`. */
const POLICY_COLUMNS = Object.keys(POLICY).map(
  (field) => `'${field}', s.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
)

/** The columns of SiteRow, for statements over `site s` and `tenant t`. */
export const SITE_COLUMNS = `s.id, s.tenant_id, s.sitekey, s.paused_at is null and t.suspended_at is null as enabled,
  jsonb_build_object(${POLICY_COLUMNS.join(', ')}) as policy,
  coalesce(extract(epoch from s.attack_until) * 1000, 0)::float8 as attack_until,
  t.monthly_quota::float8 as monthly_quota,
  coalesce((select b.units from balance b where b.tenant_id = t.id), 0)::float8 as balance,
  array(select h.hostname from hostname h where h.site_id = s.id) as hostnames,
  array(select n.network || ' ' || n.verdict::text from network_rule n
    where n.site_id = s.id and n.tenant_id = s.tenant_id) as networks`

export function toFacts(row: SiteRow): SiteFacts {
  const hostnames = new Set(row.hostnames)
  const test = testBehaviour(row.sitekey)
  return {
    ...row.policy,
    id: row.id,
    tenantId: row.tenant_id,
    sitekey: row.sitekey,
    test,
    enabled: row.enabled,
    allows: (hostname) => test !== undefined || hostnames.has(hostname),
    attackUntil: row.attack_until,
    networks: row.networks.length === 0 ? undefined : tableOf(row.networks),
    plan: { quota: row.monthly_quota, balance: row.balance },
  }
}

/** How long facts about sites and secrets are cached: the time within which a revocation reaches every node even if its message is lost. */
export const FACTS_TTL_MS = 5000

const BY_SITEKEY = batchStatement<string>(
  'site_by_sitekey',
  { sitekey: ['text', (sitekey) => sitekey] },
  ({ unnest }) => `select ${SITE_COLUMNS} from ${unnest}
    left join site s on s.sitekey = item.sitekey left join tenant t on t.id = s.tenant_id order by item.ord`,
)

/**
 * Look-ups share a statement. After a quiet time many sites are looked up at the same moment, and one by one each would open
 * a connection, which takes 10 to 15 ms of CPU.
 */
const QUEUE = batchQueue<string, SiteRow | Unknown>('site_by_sitekey', {
  key: (sitekey) => sitekey,
  run: (pool, sitekeys) => pool.query<SiteRow | Unknown>(BY_SITEKEY, BY_SITEKEY.values(sitekeys)),
})

/** The cache of sites, by site key and by hash of a secret. A change drops all entries of its tenant. */
const CACHE: Resource<Cache<SiteFacts>> = {
  name: 'sites',
  make(ctx) {
    const cache = new Cache<SiteFacts>({ max: 20_000, ttl: FACTS_TTL_MS, trusted: () => ctx.invalidations.connected })
    ctx.invalidations.subscribe((tenantId) =>
      cache.drop((facts) => tenantId === undefined || facts.tenantId === tenantId),
    )
    return cache
  },
}

export const knownFacts = (ctx: Context): Cache<SiteFacts> => ctx.resources.of(CACHE)

/** The site of a public site key; undefined if there is none. Cached for at most 5 s. */
export async function findSite(ctx: Context, sitekey: string): Promise<SiteFacts | undefined> {
  if (!isSitekey(sitekey)) return undefined
  return knownFacts(ctx).read(sitekey, async () => {
    const row = await ctx.resources.of(QUEUE).add(sitekey)
    return row.id === null ? undefined : { value: toFacts(row) }
  })
}

import type { SiteFacts } from '../../accounts/sites/facts.ts'
import type { Context } from '../../kit/context.ts'
import { batchStatement } from '../../kit/db/arrays.ts'
import { batchQueue } from '../../kit/db/batch.ts'

/**
 * An intent of the site. `grantHolds`: it was opened with a grant that is not revoked. `redeemed`: it has a decision. `expiresAt`
 * in milliseconds since the epoch.
 */
export type FoundIntent = {
  id: string
  action: string
  hostname: string
  subject: string | null
  grantHolds: boolean
  redeemed: boolean
  expiresAt: number
}

type Item = { id: string; tenantId: string; siteId: string }
type Row = {
  action: string | null
  hostname: string | null
  subject: string | null
  grant_holds: boolean
  redeemed: boolean
  expires_at: number | null
  at: number
}

const FIND = batchStatement<Item>(
  'find_intents',
  { id: ['uuid', (i) => i.id], tenant: ['uuid', (i) => i.tenantId], site: ['uuid', (i) => i.siteId] },
  ({ unnest }) => `
    select intent.action, intent.hostname, intent.subject, g.id is not null as grant_holds, d.id is not null as redeemed,
      (extract(epoch from intent.expires_at) * 1000)::float8 as expires_at, (extract(epoch from now()) * 1000)::float8 as at
    from ${unnest}
    left join intent on intent.id = item.id
      and intent.tenant_id is not distinct from item.tenant and intent.site_id is not distinct from item.site
    left join captcha_grant g on g.id = intent.grant_id
      and g.tenant_id is not distinct from intent.tenant_id and g.revoked_at is null
    left join decision d on d.id = intent.id and d.tenant_id is not distinct from intent.tenant_id
    order by item.ord`,
)

const QUEUE = batchQueue<Item, Row>('find_intents', {
  key: (item) => `${item.siteId} ${item.id}`,
  run: (pool, items) => pool.query<Row>(FIND, FIND.values(items)),
})

/** The site's intent with this id (lower case); undefined if it does not exist or belongs to another site or tenant. */
export async function findIntent(
  ctx: Context & { readonly site: SiteFacts },
  id: string,
): Promise<FoundIntent | undefined> {
  const row = await ctx.resources.of(QUEUE).add({ id, tenantId: ctx.site.tenantId, siteId: ctx.site.id })
  ctx.clock.set(row.at)
  const { action, hostname, subject, grant_holds: grantHolds, redeemed, expires_at: expiresAt } = row
  return action === null || hostname === null || expiresAt === null
    ? undefined
    : { id, action, hostname, subject, grantHolds, redeemed, expiresAt }
}

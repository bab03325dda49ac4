import type { VisitorCtx } from '../../accounts/access.ts'
import { column } from '../../kit/arrays.ts'
import { createBatch, perRoad } from '../../kit/batch.ts'

/** A permit of the site; `expiresAt` in milliseconds since the epoch. */
export type FoundIntent = {
  id: string
  hostname: string
  subject: string | null
  grantId: string | null
  expiresAt: number
}

type Item = { id: string; tenantId: string; siteId: string }
type Row = {
  hostname: string | null
  subject: string | null
  grant_id: string | null
  expires_at: number | null
  at: number
}

const FIND = {
  name: 'find_intents',
  text: `/* find_intents */ select i.hostname, i.subject, i.grant_id, (extract(epoch from i.expires_at) * 1000)::float8 as expires_at, (extract(epoch from now()) * 1000)::float8 as at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as t(id, tenant, site, ord)
    left join intent i on i.id = t.id and i.tenant_id is not distinct from t.tenant and i.site_id is not distinct from t.site order by t.ord`,
}

const findBatch = perRoad<Item, Row>((road) =>
  createBatch({
    name: 'find_intents',
    key: (item) => `${item.siteId} ${item.id}`,
    run: (items) =>
      road.query<Row>(FIND, [
        column.uuid(items.map((i) => i.id)),
        column.uuid(items.map((i) => i.tenantId)),
        column.uuid(items.map((i) => i.siteId)),
      ]),
  }),
)

/** The site's permit of this id (lower case); undefined for none, another site's and another tenant's alike. */
export async function findIntent(ctx: VisitorCtx, id: string): Promise<FoundIntent | undefined> {
  const row = await findBatch(ctx.road, { id, tenantId: ctx.site.tenantId, siteId: ctx.site.id })
  ctx.clock.set(row.at)
  return row.hostname === null || row.expires_at === null
    ? undefined
    : { id, hostname: row.hostname, subject: row.subject, grantId: row.grant_id, expiresAt: row.expires_at }
}

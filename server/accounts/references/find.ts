import { requestId } from '../../contract/ids.ts'
import { may } from '../../contract/permissions.ts'
import type { Db } from '../../kit/db/transact.ts'
import { admitStaff, rolesIn, type UserCtx } from '../access.ts'

/** A refused request, for members who may read refusals. */
export type OwnRefusal = {
  id: string
  tenant: { slug: string; name: string }
  site: { id: string; name: string }
  /** Unix seconds. */
  at: number
  endpoint: string
  code: string
  field: string | null
  /** The host that was refused, if it is not on the site's list now. */
  hostname: string | null
  /** Only the visitor's browser named the host. */
  claimed: boolean
  /** The member may change the site's hostnames. */
  mayAllow: boolean
}

/** What a reference leads to. `code`: of the newest refused request with it; null if none is stored. */
export type Reference = {
  code: string | null
  /** It was refused because a list denies the visitor's network. */
  denied: boolean
  /** Unix seconds. */
  at: number | null
  own: OwnRefusal[]
  /** For staff: the ids of all, `req_…`. */
  traces: string[]
}

type Row = Omit<OwnRefusal, 'id' | 'tenant' | 'site' | 'mayAllow'> & {
  id: string
  tenant_id: string
  slug: string | null
  tenant_name: string
  site_id: string
  site_name: string
  listed: boolean
}

/** The details of a refusal by a list of networks. */
const DENIED: ReadonlySet<string> = new Set(['site-list', 'deployment-list'])

/** References are eight digits, so that two requests can have the same one. */
const MANY = 5

/**
 * The refused requests with this reference, which a visitor's page shows: for anyone why the newest was refused, for members
 * the requests of their tenants, for staff all ids. `user`: undefined if signed out.
 */
export async function findReference(ctx: Db, reference: string, user: UserCtx | undefined): Promise<Reference> {
  const rows = await ctx.prisma.$queryRaw<Row[]>`
    select r.id::text as id, r.tenant_id::text, t.slug, t.name as tenant_name, r.site_id::text, s.name as site_name,
      floor(extract(epoch from r.at))::float8 as at, r.endpoint, r.code, r.field, r.hostname,
      r.endpoint in ('/challenge', '/solve') as claimed,
      exists (select 1 from hostname h where h.site_id = r.site_id and h.hostname = r.hostname) as listed
    from refusal r left join site s on s.id = r.site_id and s.tenant_id = r.tenant_id
      left join tenant t on t.id = r.tenant_id and t.deleted_at is null
    where r.reference = ${reference} order by r.at desc limit ${MANY}`
  const [newest] = rows
  const tenantIds = rows.map(({ tenant_id }) => tenant_id)
  const roles = user && rows.length > 0 ? await rolesIn(user, tenantIds) : undefined
  const own = rows.flatMap(({ tenant_id, slug, tenant_name, site_id, site_name, listed, ...row }): OwnRefusal[] => {
    const role = roles?.get(tenant_id)
    if (role === undefined || slug === null || site_name === null || !may(role, 'refusal.read')) return []
    return [
      {
        ...row,
        id: requestId(row.id),
        tenant: { slug, name: tenant_name },
        site: { id: site_id, name: site_name },
        hostname: listed ? null : row.hostname,
        mayAllow: may(role, 'hostname.write'),
      },
    ]
  })
  return {
    code: newest?.code ?? null,
    denied: newest?.code === 'rate-limited' && DENIED.has(newest.field ?? ''),
    at: newest?.at ?? null,
    own,
    traces: (await isStaff(user)) ? rows.map(({ id }) => requestId(id)) : [],
  }
}

const isStaff = async (user: UserCtx | undefined): Promise<boolean> =>
  user !== undefined &&
  admitStaff(user, 'support').then(
    () => true,
    () => false,
  )

import type { Scope } from '../../contract/scopes.ts'
import { type Page, type PageInput, toPage } from '../../ledger/page.ts'
import type { MemberCtx } from '../access.ts'

/** Times in Unix seconds. */
export type KeyRow = {
  id: string
  name: string
  last4: string
  scopes: Scope[]
  /** Null: all sites. A deleted site is missing. */
  sites: { id: string; name: string }[] | null
  state: 'active' | 'expired' | 'revoked'
  /** Whose permissions bound the key's; null if their account was erased. */
  creator: { name: string; isMember: boolean } | null
  createdAt: number
  /** Null: never. */
  expiresAt: number | null
  /** Accurate to about a minute; null if never used. */
  lastUsedAt: number | null
  usedFrom: string | null
}

/** The tenant's keys of the management API, newest first, without their text. By the database's clock. */
export async function listKeys({ prisma, tenant }: MemberCtx, { cursor, limit }: PageInput): Promise<Page<KeyRow>> {
  const rows = await prisma.$queryRaw<KeyRow[]>`
    select k.id::text as id, k.name, k.last4, k.scopes,
      case when cardinality(k.sites) > 0 then coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.id) from site s
        where s.id = any (k.sites) and s.tenant_id = k.tenant_id), '[]') end as sites,
      case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end as state,
      case when u.id is not null then jsonb_build_object('name', u.name, 'isMember', m.id is not null) end as creator,
      floor(extract(epoch from k.created_at))::float8 as "createdAt",
      floor(extract(epoch from k.expires_at))::float8 as "expiresAt",
      floor(extract(epoch from k.last_used_at))::float8 as "lastUsedAt", k.used_from as "usedFrom"
    from api_key k
    left join "user" u on u.id = k.created_by
    left join member m on m.user_id = k.created_by and m.tenant_id = k.tenant_id
    where k.tenant_id = ${tenant.id}::uuid and (${cursor ?? null}::uuid is null or k.id < ${cursor ?? null}::uuid)
    order by k.id desc limit ${limit + 1}`
  return toPage(rows, limit)
}

import { Prisma } from '../../../prisma/client/client.ts'
import { decisionId } from '../../contract/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { ofEachSite, type TenantSites } from '../tenantSites.ts'

/** The decisions of the tenant's sites just before and after, in the order of the list, as `dec_…`; null at its ends. */
export type Neighbours = { newer: string | null; older: string | null }

/** The decisions next to this one of the tenant. `id`: its intent's. */
export async function neighboursOf({ prisma }: Db, tenant: TenantSites, id: string): Promise<Neighbours> {
  const next = async (newer: boolean): Promise<string | null> => {
    const [is, order] = newer ? [Prisma.sql`>`, Prisma.sql`asc`] : [Prisma.sql`<`, Prisma.sql`desc`]
    const read = (isOfSite: Prisma.Sql) => Prisma.sql`
      select id, redeemed_at from decision
      -- the first condition on the time is what the index starts from
      where tenant_id = ${tenant.id}::uuid and ${isOfSite} and redeemed_at ${is}= this.redeemed_at
        and (redeemed_at, id) ${is} (this.redeemed_at, this.id)
      order by redeemed_at ${order}, id ${order} limit 1`
    const [row] = await prisma.$queryRaw<{ id: string }[]>`
      select d.id::text as id
      from decision this cross join lateral (
        select id from (${ofEachSite(tenant, Prisma.sql`site_id`, read)}) d
        order by redeemed_at ${order}, id ${order} limit 1
      ) d
      where this.id = ${id}::uuid and this.tenant_id = ${tenant.id}::uuid`
    return row ? decisionId(row.id) : null
  }
  const [newer, older] = await Promise.all([next(true), next(false)])
  return { newer, older }
}

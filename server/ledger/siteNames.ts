import type { Db } from '../kit/db/transact.ts'

type SiteName = { id: string; name: string; deleted: boolean }

/** The names of the tenant's sites by id, also of deleted ones: `Shop (deleted)`. */
export async function siteNames({ prisma }: Db, tenantId: string): Promise<ReadonlyMap<string, SiteName>> {
  const rows = await prisma.$queryRaw<SiteName[]>`
    select id::text as id, name, deleted from site_name where tenant_id = ${tenantId}::uuid`
  return new Map(rows.map((row) => [row.id, row]))
}

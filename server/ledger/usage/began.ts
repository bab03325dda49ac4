import { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../kit/db/transact.ts'
import { all } from '../scan.ts'
import { ofSites, type TenantSites } from '../tenantSites.ts'
import type { UsageMeasure } from './count.ts'

/** What the first traffic of a site is counted as. */
const TRAFFIC = ['intents', 'redeemed', 'refused'] as const satisfies UsageMeasure[]

/**
 * Whether the tenant, or one of the sites, had traffic before a time (Unix seconds). A period that began earlier than its
 * traffic has counts of only a part of it.
 */
export async function hadTrafficBefore({ prisma }: Db, tenant: TenantSites, at: number): Promise<boolean> {
  const time = Prisma.sql`to_timestamp(${at}::float8)`
  const of = Prisma.sql`u.tenant_id = ${tenant.id}::uuid and u.measure = any(${[...TRAFFIC]}::usage_measure[])
    and ${all([ofSites(tenant, Prisma.sql`u.site_id`)])}`
  // hours are deleted after some weeks, and a day does not say at which hour its traffic began
  const [row] = await prisma.$queryRaw<{ found: boolean }[]>`
    select exists (select from usage_day u where ${of} and u.day < (${time} at time zone 'utc')::date)
      or exists (select from usage_hour u where ${of} and u.hour < ${time}) as found`
  return row?.found ?? false
}

import type { SeedContext } from './context.ts'

/** Counts the seeded data as the service would have: first the counts without rows, then all others from the rows. */
export async function countUsage({ prisma }: SeedContext): Promise<void> {
  await prisma.$executeRaw`
    select add_usage(array_agg(tenant_id), array_agg(site_id), array_agg(extract(epoch from at)::float8), array_agg(measure),
      array_agg(label), array_agg(1::bigint))
    from (
      select tenant_id, site_id, opened as at, 'intents' as measure, '' as label from visit
      union all
      select tenant_id, site_id, challenged, 'challenged', '' from visit where challenged is not null
      union all
      -- visitors leave during or after the challenge
      select tenant_id, site_id, solved, 'solved', '' from visit
      where solved is not null and (redeemed is not null or pg_temp.roll(seed, 'waits') < 0.5)
      union all
      select tenant_id, site_id, at, 'refused', concat_ws(' ', endpoint, code, field) from refused
    ) happened`
  await prisma.$executeRaw`
    select repair_usage(date_trunc('hour', min(opened), 'UTC'), now(), 'infinity') from visit`
}

import { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../kit/db/transact.ts'
import { all } from '../scan.ts'
import { ofSites, type TenantSites } from '../tenantSites.ts'
import type { UsageMeasure } from './count.ts'
import { DAY, type Period } from './period.ts'

/** A count of a step of the period, which begins at `at` (Unix seconds). */
export type UsageCount = { at: number; site: string; measure: UsageMeasure; label: string; n: number }

/**
 * By what the counts are grouped. Without `at` the result has 0, without the others an empty string. `day`:
 * hours are summed by their UTC day.
 */
export type By = { at?: boolean | 'day'; site?: boolean; label?: boolean }

/** Labels and their counts as one text: a week by the hour has ten thousand, and the driver's cost is per row. */
type Packed = Omit<UsageCount, 'site' | 'label' | 'n'> & { site: string | null; counts: string }

const TAB = '\t'
const LINE = '\n'

/** The counts of a tenant or of some of its sites in the period, which is in whole steps, from the rollups alone. */
export async function readUsage(
  { prisma }: Db,
  tenant: TenantSites,
  { from, to, step }: Period & { step: number },
  measures: readonly UsageMeasure[],
  by: By,
): Promise<UsageCount[]> {
  const daily = step === DAY
  const at = daily ? Prisma.sql`u.day` : Prisma.sql`u.hour`
  const table = daily ? Prisma.sql`usage_day` : Prisma.sql`usage_hour`
  const apart = by.at === 'day' && !daily ? Prisma.sql`(u.hour at time zone 'utc')::date` : at
  const begin = daily
    ? Prisma.sql`(to_timestamp(${from}::float8) at time zone 'utc')::date`
    : Prisma.sql`to_timestamp(${from}::float8)`
  const end = daily
    ? Prisma.sql`(to_timestamp(${to}::float8) at time zone 'utc')::date`
    : Prisma.sql`to_timestamp(${to}::float8)`
  const rows = await prisma.$queryRaw<Packed[]>`
    select ${by.at ? Prisma.sql`extract(epoch from at)::float8` : Prisma.sql`0::float8`} as at, site::text as site,
      measure::text as measure, string_agg(label || ${TAB} || n, ${LINE}) as counts
    from (
      -- labels as bytes and sums as integers: grouping by locale and as numerics takes 50 % longer
      select ${by.at ? apart : Prisma.sql`null::date`} as at,
        ${by.site ? Prisma.sql`u.site_id` : Prisma.sql`null::uuid`} as site, u.measure,
        ${by.label ? Prisma.sql`u.label collate "C"` : Prisma.sql`''`} as label, sum(u.n)::bigint as n
      from ${table} u
      where u.tenant_id = ${tenant.id}::uuid and ${at} >= ${begin} and ${at} < ${end}
        and ${all([ofSites(tenant, Prisma.sql`u.site_id`)])}
        and u.measure = any(${[...measures]}::usage_measure[])
      group by 1, 2, 3, 4
      having sum(u.n) <> 0
    ) counted
    group by counted.at, counted.site, measure`
  return rows.flatMap(({ counts, ...of }) =>
    counts.split(LINE).map((count) => {
      const [label = '', n = ''] = count.split(TAB)
      return { at: of.at, site: of.site ?? '', measure: of.measure, label, n: Number(n) }
    }),
  )
}

import type { Db } from '../../kit/db/transact.ts'

/** A decision of a sample. `weight`: how many decisions it stands for. */
export type SampledDecision = {
  action: string
  /** Null if the challenge was skipped. `work`: expected hashes; `reasons`: the bits of challenges/difficulty/reasons. */
  challenge: { mobile: boolean; ms: number; work: number; reasons: number } | null
  weight: number
}

/** Decisions read of each quarter of an hour: at most 5,376 of a week. */
const PER_SLICE = 8
const SLICE = 900
const HOUR = 3600
/** The longest period in seconds. */
export const MOST_SAMPLED = 7 * 24 * HOUR

/** An hour's decisions as one text, because the driver's cost is per row. `n`: all that the hour had. */
type Packed = { n: number; sample: string }

/**
 * A sample of a site's decisions of the last week, or since a time (Unix seconds): the first eight of each quarter of an
 * hour, weighted by the hour's count. Reads a bounded number of rows however busy the site is. Test keys have none.
 */
export async function sampleDecisions(
  { prisma }: Db,
  site: { id: string; tenantId: string },
  since?: number,
): Promise<SampledDecision[]> {
  const hours = await prisma.$queryRaw<Packed[]>`
    with slice as (
      select to_timestamp(n) as at
      from generate_series(
        (extract(epoch from greatest(now() - make_interval(secs => ${MOST_SAMPLED}), to_timestamp(${since ?? 0}::float8)))
          ::bigint / ${SLICE}::bigint) * ${SLICE}::bigint,
        extract(epoch from now())::bigint, ${SLICE}::bigint) n
    ), sampled as (
      select date_trunc('hour', slice.at, 'UTC') as hour, count(*)::float8 as n,
        string_agg(concat_ws(' ', d.action, d.mobile::int, d.ms, d.work, d.work_reasons), ',') as sample
      from slice cross join lateral (
        select action, mobile, round(extract(epoch from solved_at - challenged_at) * 1000)::bigint as ms, work, work_reasons
        from decision where site_id = ${site.id}::uuid and tenant_id is not distinct from ${site.tenantId}::uuid
          and redeemed_at >= slice.at and redeemed_at < slice.at + make_interval(secs => ${SLICE})
          and redeemed_at >= to_timestamp(${since ?? 0}::float8)
        order by redeemed_at limit ${PER_SLICE}::int
      ) d
      group by 1
    )
    select sampled.sample, greatest(sampled.n, coalesce((
      select sum(u.n) from usage_hour u where u.tenant_id = ${site.tenantId}::uuid and u.site_id = ${site.id}::uuid
        and u.measure = 'redeemed' and u.hour = sampled.hour
    ), 0))::float8 as n
    from sampled`
  return hours.flatMap(({ n, sample }) => {
    const decisions = sample.split(',')
    return decisions.map((packed) => {
      const [action = '', mobile, ...numbers] = packed.split(' ')
      const [ms = 0, work = 0, reasons = 0] = numbers.map(Number)
      return {
        action,
        challenge: numbers.length === 3 ? { mobile: mobile === '1', ms, work, reasons } : null,
        weight: n / decisions.length,
      }
    })
  })
}

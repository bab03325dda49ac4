/** Values of a bucket are at most this many times its lower neighbour's: a percentile is within 5 % of the true one. */
const RATIO = 1.1

/** The bucket of a value of at least 1; the statements' `usage_bucket` is the same. */
export const bucketOf = (value: number): number => Math.ceil(Math.log(Math.max(value, 1)) / Math.log(RATIO))

/** The value that is off by the least, in proportion, for everything in the bucket. */
export const valueOf = (bucket: number): number => (2 * RATIO ** bucket) / (RATIO + 1)

/** How many there are in each bucket. */
export type Histogram = ReadonlyMap<number, number>

/** The value that the share `p` (0–1) of all lies at or under; null where there are none. */
export function percentile(histogram: Histogram, p: number): number | null {
  const buckets = [...histogram].filter(([, n]) => n > 0).toSorted(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, n]) => sum + n, 0)
  let left = Math.ceil(total * p)
  for (const [bucket, n] of buckets) {
    left -= n
    if (left <= 0) return valueOf(bucket)
  }
  return null
}

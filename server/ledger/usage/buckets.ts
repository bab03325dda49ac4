/** The ratio of the bounds of a bucket, so that a percentile is within 5 % of the true one. */
const RATIO = 1.1

/** The bucket of a value of at least 1; the same as `usage_bucket` in SQL. */
export const bucketOf = (value: number): number => Math.ceil(Math.log(Math.max(value, 1)) / Math.log(RATIO))

/** The value with the smallest relative error for everything in the bucket. */
export const valueOf = (bucket: number): number => (2 * RATIO ** bucket) / (RATIO + 1)

/** The number of values in each bucket. */
export type Histogram = ReadonlyMap<number, number>

/** The value that a share `p` (0–1) of all values is at or below; null if there are none. */
export function percentile(histogram: Histogram, p: number): number | null {
  const buckets = [...histogram].filter(([, n]) => n > 0).toSorted(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, n]) => sum + n, 0)
  // estimated counts are no whole numbers
  let left = Math.min(Math.ceil(total * p), total)
  for (const [bucket, n] of buckets) {
    left -= n
    if (left <= 0) return valueOf(bucket)
  }
  return null
}

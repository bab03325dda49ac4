/** `rate`: tokens per second that come back, up to `burst`. */
export type Pace = { rate: number; burst: number }

type Bucket = { tokens: number; at: number }

/** Token buckets by key, in process and capped: a burst at once, then a steady pace. */
export class TokenBuckets {
  /** In the order of their last use. */
  private readonly buckets = new Map<string, Bucket>()
  private readonly maxKeys: number

  /** Above `maxKeys`, the bucket that was not used for longest is dropped: it is the one that is likely full again. */
  constructor({ maxKeys }: { maxKeys: number }) {
    this.maxKeys = maxKeys
  }

  /** Takes a token of the key; returns 0, or the whole seconds until there is one. */
  take(key: string, { rate, burst }: Pace): number {
    const now = performance.now()
    const bucket = this.buckets.get(key) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * rate)
    const left = tokens >= 1 ? tokens - 1 : tokens
    this.buckets.delete(key)
    this.buckets.set(key, { tokens: left, at: now })
    const oldest = this.buckets.keys().next()
    if (this.buckets.size > this.maxKeys && !oldest.done) this.buckets.delete(oldest.value)
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / rate)
  }
}

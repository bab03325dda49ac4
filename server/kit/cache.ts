/**
 * A bounded in-process cache: an entry lives `ttl` milliseconds of this process's monotonic clock (or less, where `set`
 * says so), and the oldest gives way beyond `max` entries.
 */
export class Cache<Value> {
  private readonly entries = new Map<string, { value: Value; until: number }>()
  private readonly max: number
  private readonly ttl: number

  constructor(options: { max: number; ttl: number }) {
    this.max = options.max
    this.ttl = options.ttl
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key)
    return entry && entry.until > performance.now() ? entry.value : undefined
  }

  set(key: string, value: Value, ttl = this.ttl): void {
    this.entries.delete(key)
    this.entries.set(key, { value, until: performance.now() + Math.min(ttl, this.ttl) })
    if (this.entries.size > this.max) {
      const oldest = this.entries.keys().next()
      if (!oldest.done) this.entries.delete(oldest.value)
    }
  }

  clear(): void {
    this.entries.clear()
  }
}

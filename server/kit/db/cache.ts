import { type BoundedMap, boundedMap } from '../limits/boundedMap.ts'

/**
 * A bounded in-process cache: an entry lives `ttl` milliseconds of this process's monotonic clock, or less, where its look-up says
 * so. While `trusted` says no, nothing is answered from it.
 */
export class Cache<Value> {
  private readonly entries: BoundedMap<{ value: Value }>
  private readonly ttl: number
  private readonly trusted: () => boolean
  private readonly looking = new Map<string, Promise<Value | undefined>>()
  private drops = 0

  constructor(options: { max: number; ttl: number; trusted?: () => boolean }) {
    this.entries = boundedMap(options)
    this.ttl = options.ttl
    this.trusted = options.trusted ?? (() => true)
  }

  /**
   * The value of `key`: the cached one, or the result of `find`. Concurrent misses share one look-up. A value that was looked
   * up during a drop is returned but not cached, because it may have been read before the change.
   */
  read(key: string, find: () => Promise<{ value: Value; ttl?: number } | undefined>): Promise<Value | undefined> {
    const value = this.peek(key)
    if (value !== undefined) return Promise.resolve(value)
    let looking = this.looking.get(key)
    if (!looking) {
      const mine = this.look(key, find).finally(() => {
        // after a drop, a newer look-up may be running; it continues
        if (this.looking.get(key) === mine) this.looking.delete(key)
      })
      looking = mine
      this.looking.set(key, mine)
    }
    return looking
  }

  /** The cached value of `key`; undefined if it has to be looked up. */
  peek(key: string): Value | undefined {
    const entry = this.entries.get(key)
    return entry && this.trusted() ? entry.value : undefined
  }

  /** Whether reading the key starts no look-up: its value is cached or is being looked up. */
  has(key: string): boolean {
    return this.looking.has(key) || this.peek(key) !== undefined
  }

  private async look(
    key: string,
    find: () => Promise<{ value: Value; ttl?: number } | undefined>,
  ): Promise<Value | undefined> {
    const { drops } = this
    const found = await find()
    if (found && drops === this.drops) this.keep(key, found)
    return found?.value
  }

  /** Drops the values that match. */
  drop(matches: (value: Value) => boolean): void {
    this.drops += 1
    for (const [key, { value }] of this.entries) if (matches(value)) this.entries.delete(key)
    // a look-up that began before the change must not answer requests that come after it
    this.looking.clear()
  }

  private keep(key: string, { value, ttl = this.ttl }: { value: Value; ttl?: number }): void {
    // lru-cache takes 0 for no end
    if (ttl > 0) this.entries.set(key, { value }, { ttl: Math.min(ttl, this.ttl) })
  }
}

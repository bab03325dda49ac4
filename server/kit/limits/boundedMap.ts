import { LRUCache } from 'lru-cache'

export type BoundedMap<Value extends {}> = LRUCache<string, Value>

type Options<Value> = {
  /** Keys. Above it, the one that was not read or written for longest is dropped, so arbitrary keys cannot fill the memory. */
  max: number
  /** Milliseconds that a key is kept, unless `set` says otherwise. Without it, keys are dropped above `max` only. */
  ttl?: number
  /** Gets what was dropped above `max`. */
  onEvict?: (value: Value, key: string) => void
}

/**
 * What this process remembers by key. The size is bounded in place of lru-cache's `max`, which would allocate 40 bytes for each
 * possible key at once (4 MB for 100,000; there are about 40 such maps). Times are of this process's monotonic clock.
 */
export const boundedMap = <Value extends {}>({ max, ttl, onEvict }: Options<Value>): BoundedMap<Value> =>
  new LRUCache({
    maxSize: max,
    sizeCalculation: () => 1,
    // it takes the time 0 for none
    perf: { now: () => performance.now() + 1 },
    // without a timer of its own
    ttlResolution: 0,
    ...(ttl !== undefined && { ttl }),
    ...(onEvict && {
      dispose: (value, key, reason) => {
        if (reason === 'evict') onEvict(value, key)
      },
    }),
  })

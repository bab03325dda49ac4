type Window = { count: number; until: number }

/**
 * Counts takes per key in fixed windows that begin with a key's first take. In process, and capped: entries are kept in two
 * generations, so that there is no timer per key, and arbitrary keys cannot fill the memory.
 */
export class WindowCounter {
  private young = new Map<string, Window>()
  private old = new Map<string, Window>()
  private turned = performance.now()
  private readonly maxKeys: number
  private readonly longest: number

  /** `longest`: the longest window that will be used, in milliseconds. */
  constructor(options: { maxKeys: number; longest: number }) {
    this.maxKeys = options.maxKeys
    this.longest = options.longest
  }

  /** Takes one of `points` in the key's window of `duration` milliseconds; returns 0, or the milliseconds to wait. */
  take(key: string, points: number, duration: number): number {
    const now = performance.now()
    const window = this.find(key, now) ?? { count: 0, until: now + duration }
    if (window.count >= points) return window.until - now
    window.count += 1
    this.young.set(key, window)
    return 0
  }

  /** Returns a taken point. */
  giveBack(key: string): void {
    const window = this.find(key, performance.now())
    if (window && window.count > 0) window.count -= 1
  }

  private find(key: string, now: number): Window | undefined {
    if (now - this.turned > this.longest || this.young.size >= this.maxKeys) {
      this.old = this.young
      this.young = new Map()
      this.turned = now
    }
    const window = this.young.get(key) ?? this.old.get(key)
    return window && window.until > now ? window : undefined
  }
}

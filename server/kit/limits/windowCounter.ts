type Window = { count: number; until: number }

/** The takes of a window that ends in `left` milliseconds. */
export type Counted = { count: number; left: number }

/** The oldest windows are dropped a quarter at a time: finding the single oldest entry of a large map is slow. */
const GENERATIONS = 4

/**
 * Counts takes per key in fixed windows that begin with a key's first take. In process, and capped: there is no
 * timer per key, and arbitrary keys cannot fill the memory.
 */
export class WindowCounter {
  /** Windows grouped by when they began, the newest first. */
  private generations: Map<string, Window>[] = [new Map()]
  private readonly size: number

  /** Above `maxKeys` windows, the quarter that began first is dropped. */
  constructor({ maxKeys }: { maxKeys: number }) {
    this.size = Math.ceil(maxKeys / GENERATIONS)
  }

  /** Takes one of `points` in the key's window of `duration` milliseconds; returns 0, or the milliseconds to wait. */
  take(key: string, points: number, duration: number): number {
    const now = performance.now()
    const window = this.find(key)
    if (window && window.until > now) {
      if (window.count >= points) return window.until - now
      window.count += 1
      return 0
    }
    this.begin(key, { count: 1, until: now + duration })
    return 0
  }

  /** Milliseconds until the key's window ends; 0 if it has none. */
  left(key: string): number {
    return Math.max(0, (this.find(key)?.until ?? 0) - performance.now())
  }

  /** Adds takes that were counted elsewhere, in a window that ends in `left` milliseconds. The window that ends first remains. */
  add(key: string, { count, left }: Counted): void {
    if (count === 0 || left <= 0) return
    const until = performance.now() + left
    const window = this.find(key)
    if (!window || window.until <= performance.now()) return this.begin(key, { count, until })
    window.count += count
    window.until = Math.min(window.until, until)
  }

  /** What is counted of the key, which is forgotten. */
  remove(key: string): Counted {
    const window = this.find(key)
    if (!window) return { count: 0, left: 0 }
    for (const generation of this.generations) generation.delete(key)
    return { count: window.count, left: window.until - performance.now() }
  }

  /** Returns a taken point; false if none is counted. */
  giveBack(key: string): boolean {
    const window = this.find(key)
    if (!window || window.count === 0) return false
    window.count -= 1
    return true
  }

  private begin(key: string, window: Window): void {
    let [newest] = this.generations
    if (!newest || newest.size >= this.size) {
      newest = new Map()
      this.generations = [newest, ...this.generations.slice(0, GENERATIONS - 1)]
    }
    newest.set(key, window)
  }

  private find(key: string): Window | undefined {
    for (const generation of this.generations) {
      const window = generation.get(key)
      if (window) return window
    }
    return undefined
  }
}

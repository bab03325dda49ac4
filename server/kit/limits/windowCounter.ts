import { boundedMap } from './boundedMap.ts'

/** Counts takes per key in fixed windows that begin with a key's first take. In process, and bounded. */
export class WindowCounter {
  readonly #windows

  /** Above `maxKeys` windows, the one that was not used for longest is dropped. */
  constructor({ maxKeys }: { maxKeys: number }) {
    this.#windows = boundedMap<{ count: number }>({ max: maxKeys })
  }

  /** Takes one of `points` in the key's window of `duration` milliseconds; returns 0, or the milliseconds to wait. */
  take(key: string, points: number, duration: number): number {
    const window = this.#windows.get(key)
    if (!window) this.#windows.set(key, { count: 1 }, { ttl: duration })
    else if (window.count < points) window.count += 1
    else return Math.max(1, this.#windows.getRemainingTTL(key))
    return 0
  }

  /** Returns a taken point. */
  giveBack(key: string): void {
    const window = this.#windows.get(key)
    if (window && window.count > 0) window.count -= 1
  }
}

import { type BoundedMap, boundedMap } from '../../../kit/limits/boundedMap.ts'
import { decayed, type Weight } from '../../../kit/limits/exchange.ts'

/** `own`: the part of the value that other nodes do not have yet. `shared`: whether other nodes know the key. */
type Level = { value: number; own: number; at: number; since: number; shared: boolean }

/**
 * Counts events per key. Each event loses half its weight per half-life, so the count rises immediately, decays, and needs
 * neither windows nor timers. Counts at once in this process, and can be merged with what other nodes counted. Bounded. Times
 * in milliseconds of this process's clock.
 */
export class DecayingCounter {
  readonly halfLife: number
  private readonly levels: BoundedMap<Level>
  private readonly changed = new Set<string>()
  private credits: { key: string; amount: number; at: number; once: string }[] = []
  private readonly maxKeys: number
  private readonly sharedFrom: number

  /**
   * Above `maxKeys`, the one that was not counted for longest is dropped. A key is kept for the other nodes once its weight here is
   * at least `sharedFrom`; by default never.
   */
  constructor(options: { halfLife: number; maxKeys: number; sharedFrom?: number }) {
    this.halfLife = options.halfLife
    this.maxKeys = options.maxKeys
    this.levels = boundedMap({ max: options.maxKeys, onEvict: (_, key) => this.changed.delete(key) })
    this.sharedFrom = options.sharedFrom ?? Number.POSITIVE_INFINITY
  }

  /** Adds `amount` to the key, which may be negative, and returns its weight now, never below 0. */
  count(key: string, now: number, amount = 1): number {
    const level = this.touch(key, now)
    level.own += amount
    level.value = Math.max(0, level.value + amount)
    level.shared ||= level.value >= this.sharedFrom
    if (level.shared) this.changed.add(key)
    return level.value
  }

  /**
   * Takes `amount` off the key. Other nodes may take it off as well, each once, and name the same `once`: when they exchange what
   * they counted, it is taken off once for all.
   */
  credit(key: string, now: number, amount: number, once: string): void {
    const level = this.touch(key, now)
    level.value = Math.max(0, level.value - amount)
    if (level.shared && this.credits.length < this.maxKeys) this.credits.push({ key, amount, at: now, once })
  }

  /** The weight of the key now. */
  weight(key: string, now: number): number {
    const level = this.levels.peek(key)
    return level === undefined ? 0 : decayed(level.value, now - level.at, this.halfLife)
  }

  /**
   * Events per second of the key, from the weight that `count` returned. A key first counted less than a few half-lives ago
   * has not reached the weight of its rate yet; the result is corrected for that, so that a new key does not look idle.
   */
  rate(key: string, weight: number, now: number): number {
    const watched = Math.max(1000, now - (this.levels.peek(key)?.since ?? now))
    return (weight * Math.LN2) / (this.halfLife / 1000) / (1 - decayed(1, watched, this.halfLife))
  }

  /** Up to `most` weights that were counted here since they were last taken, for the other nodes. */
  take(now: number, most: number): Weight[] {
    const taken: Weight[] = []
    for (const key of this.changed) {
      if (taken.length === most) break
      this.changed.delete(key)
      const level = this.levels.peek(key)
      if (!level) continue
      taken.push({ key, value: decayed(level.own, now - level.at, this.halfLife), age: now - level.since })
      level.own = 0
    }
    for (const { key, amount, at, once } of this.credits.splice(0, most - taken.length))
      taken.push({ key, value: -decayed(amount, now - at, this.halfLife), age: now - at, once })
    return taken
  }

  /** Whether something was counted that was not taken yet. */
  get isChanged(): boolean {
    return this.changed.size > 0 || this.credits.length > 0
  }

  /** Sets a key's weight to the total of all nodes, which includes what was taken here. `least`: never to less than it has here. */
  merge({ key, value, age }: Weight, now: number, { least = false } = {}): void {
    const level = this.touch(key, now)
    const total = Math.max(0, value + level.own)
    level.shared = this.sharedFrom < Number.POSITIVE_INFINITY
    level.value = least ? Math.max(level.value, total) : total
    level.since = Math.min(level.since, now - age)
  }

  /** The `most` keys with the largest weights. */
  largest(most: number, now: number): Weight[] {
    return Array.from(this.levels.entries(), ([key, { value, at, since }]) => ({
      key,
      value: decayed(value, now - at, this.halfLife),
      age: now - since,
    }))
      .toSorted((a, b) => b.value - a.value)
      .slice(0, most)
  }

  /** The key's level, decayed until now. */
  private touch(key: string, now: number): Level {
    let level = this.levels.get(key)
    if (!level) this.levels.set(key, (level = { value: 0, own: 0, at: now, since: now, shared: false }))
    level.value = decayed(level.value, now - level.at, this.halfLife)
    level.own = decayed(level.own, now - level.at, this.halfLife)
    level.at = now
    return level
  }
}

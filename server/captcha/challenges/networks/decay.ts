type Level = { value: number; at: number; since: number }

/**
 * Counts events per key. Each event loses half its weight per half-life, so the count rises immediately, decays, and needs
 * neither windows nor timers. In process and capped. Times in milliseconds of one clock.
 */
export class DecayingCounter {
  private readonly levels = new Map<string, Level>()
  private readonly halfLife: number
  private readonly maxKeys: number

  /** Above `maxKeys`, the least recently counted key is dropped. */
  constructor(options: { halfLife: number; maxKeys: number }) {
    this.halfLife = options.halfLife
    this.maxKeys = options.maxKeys
  }

  /** Counts an event of the key and returns its weight now, this event included. */
  count(key: string, now: number): number {
    const level = this.levels.get(key) ?? { value: 0, at: now, since: now }
    const value = level.value * 0.5 ** ((now - level.at) / this.halfLife) + 1
    this.levels.delete(key)
    this.levels.set(key, { value, at: now, since: level.since })
    if (this.levels.size > this.maxKeys) {
      const oldest = this.levels.keys().next()
      if (!oldest.done) this.levels.delete(oldest.value)
    }
    return value
  }

  /**
   * Events per second of the key, from the weight that `count` returned. A key first counted less than a few half-lives ago
   * has not reached the weight of its rate yet; the result is corrected for that, so that a new key does not look idle.
   */
  rate(key: string, weight: number, now: number): number {
    const watched = Math.max(1000, now - (this.levels.get(key)?.since ?? now))
    return (weight * Math.LN2) / (this.halfLife / 1000) / (1 - 0.5 ** (watched / this.halfLife))
  }
}

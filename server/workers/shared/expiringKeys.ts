/** As many keys of a rule as its limit counts (server/kit/limits/limiter.ts). */
const MAX_KEYS = 100_000

/** A key of a rule, and the seconds that it has left. */
export type Expiring = [rule: string, key: string, seconds: number]

/** Keys of rules, each for a time. Above the maximum of a rule the oldest are dropped. */
export class ExpiringKeys {
  /** By rule, so that all keys of a map have about the same time and the first ones end first. */
  readonly #rules = new Map<string, Map<string, number>>()

  /** `seconds`: how long from now. */
  add(rule: string, key: string, seconds: number): void {
    let keys = this.#rules.get(rule)
    if (!keys) this.#rules.set(rule, (keys = new Map()))
    keys.delete(key)
    keys.set(key, performance.now() + seconds * 1000)
    for (const [oldest, until] of keys) {
      if (until > performance.now() && keys.size <= MAX_KEYS) break
      keys.delete(oldest)
    }
  }

  has(rule: string, key: string): boolean {
    return (this.#rules.get(rule)?.get(key) ?? 0) > performance.now()
  }

  all(): Expiring[] {
    const now = performance.now()
    return Array.from(this.#rules, ([rule, keys]) =>
      Array.from(keys, ([key, until]): Expiring => [rule, key, (until - now) / 1000]),
    )
      .flat()
      .filter(([, , seconds]) => seconds > 0)
  }
}

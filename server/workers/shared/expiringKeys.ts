/** As many keys as each kind of limit counts (server/kit/limiter.ts). */
const MAX_KEYS = 100_000

/** Keys, each for a time. Above the maximum the oldest are dropped. */
export class ExpiringKeys {
  readonly #until = new Map<string, number>()

  /** `seconds`: how long from now. */
  add(id: string, seconds: number): void {
    this.#until.delete(id)
    this.#until.set(id, performance.now() + seconds * 1000)
    for (const [oldest, until] of this.#until) {
      if (until > performance.now() && this.#until.size <= MAX_KEYS) break
      this.#until.delete(oldest)
    }
  }

  has(id: string): boolean {
    // often there are none
    return this.#until.size > 0 && (this.#until.get(id) ?? 0) > performance.now()
  }

  /** With the seconds that are left. */
  all(): [id: string, seconds: number][] {
    const now = performance.now()
    return Array.from(this.#until, ([id, until]): [string, number] => [id, (until - now) / 1000]).filter(
      ([, seconds]) => seconds > 0,
    )
  }
}

/** A key of a rule. */
export const idOf = ({ name }: { name: string }, key: string): string => `${name} ${key}`

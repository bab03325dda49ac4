import { boundedMap } from './boundedMap.ts'

/** Longer than an intent's lifetime. */
const REMEMBERED_MS = 310_000

/** Whether something happens for the first time, in this process and for the lifetime of an intent. */
export class FirstTimes {
  readonly #names = boundedMap<true>({ max: 100_000, ttl: REMEMBERED_MS })

  /** Whether it has happened, without counting it. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  isFirst(name: string): boolean {
    if (this.has(name)) return false
    this.#names.set(name, true)
    return true
  }
}

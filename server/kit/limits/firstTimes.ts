/** Longer than an intent's lifetime. */
const REMEMBERED_MS = 310_000
const MAX_NAMES = 100_000

/**
 * Whether something happens for the first time, in this process and for the lifetime of an intent. Kept in two generations, so
 * that memory is bounded.
 */
export class FirstTimes {
  private young = new Set<string>()
  private old = new Set<string>()
  private turned = performance.now()

  /** Whether it has happened, without counting it. */
  has(name: string): boolean {
    return this.young.has(name) || this.old.has(name)
  }

  isFirst(name: string): boolean {
    if (this.young.size >= MAX_NAMES || performance.now() - this.turned > REMEMBERED_MS) {
      this.old = this.young
      this.young = new Set()
      this.turned = performance.now()
    }
    if (this.has(name)) return false
    this.young.add(name)
    return true
  }
}

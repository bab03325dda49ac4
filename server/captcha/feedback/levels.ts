import { REPORT_HALF_LIFE_MS, REPORT_STEPS } from '../../contract/reports.ts'
import { type BoundedMap, boundedMap } from '../../kit/limits/boundedMap.ts'
import { decayed } from '../../kit/limits/exchange.ts'
import type { Mark } from '../../ledger/feedback/marks.ts'

const MOST = 2

/** A report older than this weighs less than 1/100. In milliseconds. */
export const COUNTS_MS = 14 * 86_400_000

type Part = keyof typeof REPORT_STEPS
const PARTS: readonly Part[] = ['network', 'area', 'subject']

/** What identifies a client: hashes as in marks. */
export type MarkedClient = { network: Buffer; area: Buffer; subject: Buffer | null }

/** The weight of all reports of a key, at a time in milliseconds. */
type Level = { value: number; at: number; reports: number }

const keyOf = (part: Part, hash: Buffer): string => part + hash.toString('latin1')

/**
 * The reports of abuse that raise the difficulty, by tenant: a tenant's reports have no effect on the sites of others, or it
 * could make the visitors of a competitor wait. In memory and bounded; the database has the truth.
 */
export class FeedbackLevels {
  readonly #mostOfTenant: number
  /** By decision, in the order of change. */
  readonly #marks: BoundedMap<Mark>
  readonly #tenants = new Map<string, { decisions: Set<string>; levels: Map<string, Level> }>()

  /** Above the maximum, of a tenant or of all, the mark that changed first is dropped. */
  constructor({ mostOfTenant, most }: { mostOfTenant: number; most: number }) {
    this.#mostOfTenant = mostOfTenant
    this.#marks = boundedMap({ max: most, onEvict: (mark) => this.#forget(mark) })
  }

  get size(): number {
    return this.#marks.size
  }

  /** Adds a mark, replaces it, or removes it if it was withdrawn. */
  put(mark: Mark): void {
    this.#drop(mark.decisionId)
    if (mark.withdrawn) return
    const tenant = this.#tenants.get(mark.tenantId) ?? { decisions: new Set(), levels: new Map<string, Level>() }
    this.#tenants.set(mark.tenantId, tenant)
    tenant.decisions.add(mark.decisionId)
    this.#weigh(mark, 1)
    if (tenant.decisions.size > this.#mostOfTenant) this.#drop(tenant.decisions.values().next().value)
    this.#marks.set(mark.decisionId, mark)
  }

  /** Removes marks that were made before. Those that changed later are removed later. */
  dropOlder(than: number): void {
    for (const decision of this.#marks.rkeys()) {
      if ((this.#marks.peek(decision)?.markedAt ?? 0) >= than) return
      this.#drop(decision)
    }
  }

  /**
   * How often the reports of a tenant double the difficulty for a client: 0–2. `client` is called only if the tenant has
   * reports, because its hashes cost CPU.
   */
  doublings(tenantId: string, client: () => MarkedClient, now: number): number {
    const levels = this.#tenants.get(tenantId)?.levels
    if (!levels) return 0
    const { network, area, subject } = client()
    const of = (part: Part, hash: Buffer): number => {
      const level = levels.get(keyOf(part, hash))
      const weight = level ? decayed(level.value, now - level.at, REPORT_HALF_LIFE_MS) : 0
      return REPORT_STEPS[part].filter((step) => weight >= step).length
    }
    const ofSubject = subject === null ? 0 : of('subject', subject)
    return Math.min(MOST, Math.max(of('network', network), of('area', area)) + ofSubject)
  }

  #drop(decisionId: string | undefined): void {
    const mark = decisionId === undefined ? undefined : this.#marks.peek(decisionId)
    if (!mark) return
    this.#marks.delete(mark.decisionId)
    this.#forget(mark)
  }

  #forget(mark: Mark): void {
    this.#weigh(mark, -1)
    const tenant = this.#tenants.get(mark.tenantId)
    tenant?.decisions.delete(mark.decisionId)
    if (tenant?.decisions.size === 0) this.#tenants.delete(mark.tenantId)
  }

  #weigh(mark: Mark, sign: 1 | -1): void {
    const levels = this.#tenants.get(mark.tenantId)?.levels
    for (const part of PARTS) {
      const hash = mark[part]
      if (!levels || hash === null) continue
      const key = keyOf(part, hash)
      const level = levels.get(key) ?? { value: 0, at: mark.markedAt, reports: 0 }
      const at = Math.max(level.at, mark.markedAt)
      const reports = level.reports + sign
      const own = decayed(1, at - mark.markedAt, REPORT_HALF_LIFE_MS)
      const value = decayed(level.value, at - level.at, REPORT_HALF_LIFE_MS) + sign * own
      if (reports === 0) levels.delete(key)
      else levels.set(key, { value, at, reports })
    }
  }
}

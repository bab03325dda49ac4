import type { SiteCtx, VisitorCtx } from '../../../server/accounts/access.ts'
import type { SiteFacts } from '../../../server/accounts/sites/facts.ts'
import { countChallenge } from '../../../server/captcha/challenges/difficulty/signals.ts'
import { workFor } from '../../../server/captcha/challenges/difficulty/work.ts'
import { assertRate } from '../../../server/captcha/challenges/rate.ts'
import { perSubject, takeBackend } from '../../../server/captcha/limits/rules.ts'
import { readConfig } from '../../../server/kit/config.ts'
import { type Context, Resources } from '../../../server/kit/context.ts'
import { AppError } from '../../../server/kit/error.ts'
import { createLocalLimiter } from '../../../server/kit/limiter.ts'

export type Visitor = { address: string; subject: string | null }
/** In whole seconds. */
export type Refused = { retryAfter: number }

/** A new site's. */
export const BASE_WORK = 1024 * 1024

/** A site with the defaults of a new one, and a plan that does not limit it. */
const SITE = {
  id: 'simulated site',
  tenantId: 'simulated tenant',
  sitekey: 'simulated key',
  test: undefined,
  enabled: true,
  allows: () => true,
  baseWork: BASE_WORK,
  workMode: 'adaptive',
  grants: { enabled: false, maxTtl: 0, maxUses: 0, renewal: 0 },
  limits: { ratePerSecond: 200, rateBurst: 400, perSubject: 20, perNetwork: 60 },
  plan: { quota: 10_000_000, balance: 0 },
} satisfies Partial<SiteFacts>

/**
 * One node of the service: its own limits, counters and pricing, with the clock of the simulation. Only what would need
 * the database is left out: an intent is counted and not stored, and a solution is not verified.
 */
export class Service {
  readonly #ctx: Context & { site: SiteFacts }

  constructor(now: () => number, site: Partial<SiteFacts> = {}) {
    const parts = {
      config: readConfig({ DEMO: 'off' }),
      clock: { now, set: () => undefined },
      limiter: createLocalLimiter(),
      resources: new Resources(() => this.#ctx),
      site: { ...SITE, ...site },
    }
    this.#ctx = parts as unknown as Context & { site: SiteFacts }
  }

  /** What /intents and /challenge do for this visitor: the difficulty in expected hashes, or the seconds to wait. */
  async ask(visitor: Visitor): Promise<{ work: number } | Refused> {
    const { site } = this.#ctx
    const backend = { ...this.#ctx, address: '192.0.2.1' } as unknown as SiteCtx
    const taken = await takeBackend(
      backend,
      'intents',
      visitor.subject === null ? [] : [[perSubject(site), `${site.id} ${visitor.subject}`]],
    )
    if (taken.retryAfter > 0) return { retryAfter: taken.retryAfter }
    const ctx = this.visitorCtx(visitor)
    const refused = await refusalOf(ctx)
    if (refused) return refused
    const signals = countChallenge(ctx, visitor.subject, this.#ctx.clock.now())
    return { work: workFor(site, signals, { kind: 'pow-sha256', fallback: 0 }).work }
  }

  /** What /solve does with a right solution; undefined if it is accepted. */
  async solve(visitor: Visitor): Promise<Refused | undefined> {
    return refusalOf(this.visitorCtx(visitor))
  }

  private visitorCtx({ address }: Visitor): VisitorCtx {
    return { ...this.#ctx, visitor: { origin: undefined, address, mobile: false } } as unknown as VisitorCtx
  }
}

async function refusalOf(ctx: VisitorCtx): Promise<Refused | undefined> {
  try {
    await assertRate(ctx)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate-limited') return { retryAfter: error.retryAfter ?? 1 }
    throw error
  }
}

/** Runs with `performance.now`, which the limits read, set to virtual time. One at a time in a process. */
export async function inVirtualTime(now: () => number, run: () => Promise<void>): Promise<void> {
  // an own property hides the real one, which is its prototype's
  Object.defineProperty(performance, 'now', { value: now, configurable: true })
  try {
    await run()
  } finally {
    Reflect.deleteProperty(performance, 'now')
  }
}

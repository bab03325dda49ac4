import type { SiteCtx, VisitorCtx } from '../../../../server/accounts/access.ts'
import type { SiteFacts } from '../../../../server/accounts/sites/facts.ts'
import { admitVisit } from '../../../../server/captcha/challenges/admit.ts'
import { packReasons } from '../../../../server/captcha/challenges/difficulty/reasons.ts'
import { countSolved, hashedNetworks } from '../../../../server/captcha/challenges/difficulty/signals.ts'
import { COUNTS } from '../../../../server/captcha/challenges/networks/counts.ts'
import { assertAge, countVisit } from '../../../../server/captcha/challenges/rate.ts'
import type { Challenge } from '../../../../server/captcha/challenges/sealed.ts'
import { visitorOf } from '../../../../server/captcha/challenges/visitor.ts'
import { perSubject, takeBackend } from '../../../../server/captcha/limits/rules.ts'
import { DEFAULT_POLICY } from '../../../../server/contract/sitePolicy.ts'
import { readConfig } from '../../../../server/kit/config/config.ts'
import { type Context, Resources } from '../../../../server/kit/context.ts'
import { createKeyring } from '../../../../server/kit/crypto/keyring.ts'
import { AppError } from '../../../../server/kit/error.ts'
import { ClientAddress } from '../../../../server/kit/http/client.ts'
import { decayed } from '../../../../server/kit/limits/exchange.ts'
import { createLocalLimiter } from '../../../../server/kit/limits/limiter.ts'
import type { Kind } from './populations.ts'

/** `site`: which of the deployment's sites. `kinds`: the kinds of challenges that it can solve, or says that it can. */
export type Visitor = { intent: string; site: number; address: string; subject: string | null; kinds: readonly Kind[] }
/** In whole seconds. */
export type Refused = { retryAfter: number }
/** What the simulation keeps of a challenge. Times in milliseconds. */
export type Asked = Pick<
  Challenge,
  'intentId' | 'work' | 'minAge' | 'issuedAt' | 'expiresAt' | 'span' | 'reasons' | 'networks'
>

/** The lifetime of a challenge (server/captcha/challenges/issue.ts). */
const LIFETIME_MS = 120_000

export const BASE_WORK = DEFAULT_POLICY.baseWork

/** A site with the defaults of a new one, and a plan that does not limit it. */
const SITE = {
  id: 'simulated site',
  sitekey: 'simulated key',
  test: undefined,
  enabled: true,
  allows: () => true,
  ...DEFAULT_POLICY,
  grantsEnabled: false,
  attackUntil: 0,
  networks: undefined,
  plan: { quota: 10_000_000, balance: 0 },
} satisfies Partial<SiteFacts>

/** A tenant for each site. Its id is a UUIDv7 of the beginning of time, so it is of age. */
const tenantOf = (site: number): string => `00000000-0000-7000-8000-${String(site).padStart(12, '0')}`

const MERCHANT = new ClientAddress('192.0.2.1')

const DAYS = 24 * 3_600_000

/**
 * One node of the service: its own limits, counters and pricing, with the clock of the simulation. Only what would need
 * the database is left out: an intent is counted and not stored, and a solution is not verified.
 */
export class Service {
  readonly #ctx: Context
  readonly #mode: SiteFacts['workMode']

  constructor(now: () => number, mode: SiteFacts['workMode'] = 'adaptive') {
    const parts = {
      config: readConfig({ DEMO: 'off' }),
      clock: { now, set: () => undefined },
      keyring: createKeyring([{ id: 'simulated', key: Buffer.alloc(32) }]),
      limiter: createLocalLimiter(),
      resources: new Resources(() => this.#ctx),
    }
    this.#ctx = parts as unknown as Context
    this.#mode = mode
  }

  /** Lets the networks of an address have had so many visits a second for three days. */
  establish(address: string, perSecond: number): void {
    const usual = this.#ctx.resources.of(COUNTS).of('usual')
    const learned = (perSecond / 1000) * (usual.halfLife / Math.LN2) * (1 - decayed(1, 3 * DAYS, usual.halfLife))
    const visitor = { intent: '', site: 0, address, subject: null, kinds: [] }
    for (const { key } of hashedNetworks(this.visitorCtx(visitor))) usual.count(key, this.#ctx.clock.now(), learned)
  }

  /** What /intents and /challenge do for this visitor: the difficulty in expected hashes, or the seconds to wait. */
  async ask(visitor: Visitor): Promise<Asked | Refused> {
    const ctx = this.visitorCtx(visitor)
    const { site } = ctx
    const backend = { ...ctx, address: MERCHANT } as unknown as SiteCtx
    const taken = await takeBackend(
      backend,
      'intents',
      visitor.subject === null ? [] : [[perSubject(site), `${site.id} ${visitor.subject}`]],
    )
    if (taken.retryAfter > 0) return { retryAfter: taken.retryAfter }
    const issuedAt = this.#ctx.clock.now()
    return orRefused(async () => {
      await countVisit(ctx, visitor.intent)
      const intent = { id: visitor.intent, action: 'any', subject: visitor.subject }
      const { work, minAge, reasons, networks } = await admitVisit(ctx, intent, visitor.kinds, issuedAt)
      const expiresAt = issuedAt + LIFETIME_MS
      const span = reasons.kind === 'pow-hashwx' ? 1 : 0
      return {
        intentId: visitor.intent,
        work,
        minAge,
        issuedAt,
        expiresAt,
        span,
        reasons: packReasons(reasons),
        networks,
      }
    })
  }

  /** What /solve does with a right solution; undefined if it is accepted. */
  async solve(visitor: Visitor, challenge: Asked): Promise<Refused | undefined> {
    const ctx = this.visitorCtx(visitor)
    return orRefused(async () => {
      await countVisit(ctx, visitor.intent)
      assertAge(ctx, challenge)
      countSolved(ctx, challenge, this.#ctx.clock.now())
      return undefined
    })
  }

  private visitorCtx({ site: number, address }: Visitor): VisitorCtx {
    const site = { ...SITE, id: `${SITE.id} ${number}`, tenantId: tenantOf(number), workMode: this.#mode }
    const visitor = visitorOf(this.#ctx, { address: new ClientAddress(address), headers: {} }, site)
    return { ...this.#ctx, site, visitor } as unknown as VisitorCtx
  }
}

async function orRefused<Out>(work: () => Promise<Out>): Promise<Out | Refused> {
  try {
    return await work()
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

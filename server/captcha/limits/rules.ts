import type { SiteCtx, VisitorCtx } from '../../accounts/access.ts'
import { planBounds } from '../../accounts/plans/bounds.ts'
import type { SiteFacts } from '../../accounts/sites/facts.ts'
import { AppError } from '../../kit/error.ts'
import { networkLimits } from '../../kit/http/client.ts'
import type { AttemptRule } from '../../kit/limits/attempts.ts'
import type { Limit, Rule } from '../../kit/limits/limiter.ts'
import { type Taken, takeAll } from '../../kit/limits/takeAll.ts'

type BackendEndpoint = 'intents' | 'siteverify' | 'feedback' | 'grants' | 'revoke'

/** Each backend endpoint has its own limit: `burst` requests at the same time, and `rate` on average. */
const siteRate = (endpoint: BackendEndpoint, site: SiteFacts): Rule => ({
  name: endpoint,
  points: site.rateBurst,
  duration: Math.max(1, Math.round(site.rateBurst / site.ratePerSecond)),
})

/**
 * The limits of a merchant's backend call. The secrets of test keys are public, so their limits are per
 * client network, for all test sites together, and per test site, for all endpoints together.
 */
function backendLimits(ctx: SiteCtx, endpoint: BackendEndpoint): Limit[] {
  const { site, config } = ctx
  if (!site.test) return [[siteRate(endpoint, site), site.id], ...tenantLimits(ctx, endpoint)]
  return [
    ...networkLimits({ name: 'test-network', points: config.testKeysPerMinute, duration: 60 }, ctx.address),
    [{ name: 'test-site', points: config.testKeysPerSecond, duration: 1 }, site.id],
  ]
}

/** The window of a tenant's rate. A site's default burst also lasts two seconds. */
const BURST_SECONDS = 2

/** The limits of all sites of a tenant together, by its plan: more sites do not allow more calls. */
function tenantLimits({ site, config }: SiteCtx, endpoint: BackendEndpoint): Limit[] {
  const { callsPerSecond, intentsPerHour } = planBounds(config, site.plan)
  const rate = { name: `tenant-${endpoint}`, points: callsPerSecond * BURST_SECONDS, duration: BURST_SECONDS }
  const opened = { name: 'tenant-intents-hour', points: intentsPerHour, duration: 3600 }
  return [[rate, site.tenantId], ...(endpoint === 'intents' ? [[opened, site.tenantId] as const] : [])]
}

/**
 * Counts a merchant's backend call. Above the limit the caller still looks the call up, because it may repeat an earlier
 * one, which is answered. With test keys, whose secrets are public, it throws `rate-limited` instead.
 */
export async function takeBackend(
  ctx: SiteCtx,
  endpoint: BackendEndpoint,
  more: readonly Limit[] = [],
): Promise<Taken> {
  const taken = await takeAll(ctx, [...backendLimits(ctx, endpoint), ...more])
  if (taken.retryAfter > 0 && ctx.site.test) throw new AppError('rate-limited', { retryAfter: taken.retryAfter })
  return taken
}

/**
 * Looks up a decision or grant for a merchant's backend call. Above the call's limit, look-ups that find nothing are
 * limited too, to the site's rate: beyond it the refusal is thrown without a look-up. Throws `rate-limited`, and whatever
 * `lookUp` throws: `bad-field` if nothing was found.
 */
export async function boundMisses<Out>(ctx: SiteCtx, { retryAfter }: Taken, lookUp: () => Promise<Out>): Promise<Out> {
  if (retryAfter === 0) return lookUp()
  const miss = await takeAll(ctx, [[{ ...siteRate('siteverify', ctx.site), name: 'misses' }, ctx.site.id]])
  if (miss.retryAfter > 0) throw new AppError('rate-limited', { retryAfter: miss.retryAfter })
  let missed = false
  try {
    return await lookUp()
  } catch (error) {
    missed = error instanceof AppError && error.code === 'bad-field'
    throw error
  } finally {
    if (!missed) await miss.giveBack()
  }
}

/**
 * Requests of a visitor's network at a site that cost the service something and yield nothing: about intents that do not exist,
 * and wrong solutions. At test sites, whose keys are public, all requests.
 */
export const junkOf = ({ site, config }: VisitorCtx): Rule =>
  site.test
    ? { name: 'test-visitor', points: config.testKeysPerMinute, duration: 60 }
    : { name: 'network', points: site.networkLimit, duration: 60 }

/** Requests about one intent, which has one visitor: some challenges, and their repetitions. */
export const PER_INTENT: Rule = { name: 'intent', points: 120, duration: 60 }

/** The longest wait for a challenge in seconds. The component waits as long by itself (widget/client.ts). */
export const WAIT_MOST = 60

export const perSubject = ({ subjectLimit }: SiteFacts): Rule => ({
  name: 'subject',
  points: subjectLimit,
  duration: 600,
})

/** Wrong solutions per intent, for longer than an intent's lifetime. */
export const WRONG_SOLUTIONS: AttemptRule = { name: 'wrong', points: 10, duration: 310 }

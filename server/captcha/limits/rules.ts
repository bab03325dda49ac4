import type { SiteCtx, VisitorCtx } from '../../accounts/access.ts'
import type { SiteFacts } from '../../accounts/sites/facts.ts'
import type { AttemptRule } from '../../kit/attempts.ts'
import type { Rule } from '../../kit/limiter.ts'
import { networkOf } from '../../kit/network.ts'

export type Limit = readonly [rule: Rule, key: string]

type BackendEndpoint = 'intents' | 'siteverify' | 'feedback' | 'grants' | 'revoke'

/** Each backend endpoint has its own limit: `burst` requests at the same time, and `rate` on average. */
const siteRate = (endpoint: BackendEndpoint, { limits }: SiteFacts): Rule => ({
  name: endpoint,
  points: limits.rateBurst,
  duration: Math.max(1, Math.round(limits.rateBurst / limits.ratePerSecond)),
})

/**
 * The limits of a merchant's backend call. The secrets of test keys are public, so their limits are per
 * client network, for all test sites together, and per test site, for all endpoints together.
 */
export function backendLimits(ctx: SiteCtx, endpoint: BackendEndpoint): Limit[] {
  const { site, config } = ctx
  if (!site.test) return [[siteRate(endpoint, site), site.id]]
  return [
    [{ name: 'test-network', points: config.testKeysPerMinute, duration: 60 }, networkOf(ctx.address)],
    [{ name: 'test-site', points: config.testKeysPerSecond, duration: 1 }, site.id],
  ]
}

/** The limit of a visitor's request: /challenge and /solve together, per client network and site. */
export function visitorLimit({ site, visitor, config }: VisitorCtx): Limit {
  const rule = site.test
    ? { name: 'test-visitor', points: config.testKeysPerMinute, duration: 60 }
    : { name: 'network', points: site.limits.perNetwork, duration: 60 }
  return [rule, `${site.id} ${networkOf(visitor.address)}`]
}

export const perSubject = ({ limits }: SiteFacts): Rule => ({
  name: 'subject',
  points: limits.perSubject,
  duration: 600,
})

/** Wrong solutions per intent, for longer than an intent's lifetime. */
export const WRONG_SOLUTIONS: AttemptRule = { name: 'wrong', points: 10, duration: 310 }

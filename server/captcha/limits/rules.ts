import type { SiteFacts } from '../../accounts/sites/facts.ts'
import type { Rule } from '../../kit/limiter.ts'

/** Each backend endpoint has its own: the burst at once, and on average the rate. */
export const siteRate = (endpoint: 'intents' | 'siteverify', { limits }: SiteFacts): Rule => ({
  name: endpoint,
  points: limits.rateBurst,
  duration: Math.max(1, Math.round(limits.rateBurst / limits.ratePerSecond)),
})

export const perSubject = ({ limits }: SiteFacts): Rule => ({
  name: 'subject',
  points: limits.perSubject,
  duration: 600,
})

/** /challenge and /solve together, per client network and site. */
export const PER_NETWORK: Rule = { name: 'network', points: 60, duration: 60 }

/** Wrong solutions per intent, for as long as an intent lives. */
export const WRONG_SOLUTIONS: Rule = { name: 'wrong', points: 10, duration: 300 }

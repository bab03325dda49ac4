import * as z from 'zod/mini'
import { ACTION } from './names.ts'

const whole = (min: number, max: number) => {
  const message = `A whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`
  return z.int(message).check(z.gte(min, message), z.lte(max, message))
}

/** Expected hashes of a challenge: from almost none to 12 s on a slow phone, which is also the maximum after raising. */
export const WORK_BOUNDS = { min: 1024, max: 6_291_456 } as const

/** The most that is asked in attack mode of busy networks, or of SHA-256 in place of HashWX: 38 s on a slow phone. */
export const MOST_WORK_BOUND = 3 * WORK_BOUNDS.max

/**
 * What SHA-256 in place of HashWX costs more, beyond the deployment's budget for it: so much that it costs nobody less than HashWX
 * (assurance/bench/attack/price compares it with the measured rates).
 */
export const FALLBACK_TIMES = 12

/**
 * Which challenges a site's visitors get: SHA-256, HashWX (browsers that cannot solve it get SHA-256 at FALLBACK_TIMES the
 * difficulty), or HashWX where the browser can and SHA-256 where it cannot: at the same difficulty within the deployment's budget.
 */
export const CHALLENGE_KINDS = ['sha256', 'hashwx', 'auto'] as const
export type ChallengeKind = (typeof CHALLENGE_KINDS)[number]

const difficulty = {
  /** Expected hashes of a challenge before it is raised. */
  baseWork: whole(WORK_BOUNDS.min, WORK_BOUNDS.max),
  workMode: z.enum(['adaptive', 'fixed', 'attack']),
}

/** The difficulty of one action, instead of the site's. */
export const actionPolicy = z.object({
  action: z.string().check(z.trim(), z.regex(ACTION, '1 to 64 letters, digits, _ or -.')),
  ...difficulty,
})
export type ActionPolicy = z.infer<typeof actionPolicy>

/** Actions of a site that can have a difficulty of their own. */
export const MOST_ACTIONS = 20

/** How hard the challenges of a site are. */
const difficultyFields = {
  ...difficulty,
  challengeKind: z.enum(CHALLENGE_KINDS),
  /** Each action once. */
  actions: z.array(actionPolicy).check(
    z.maxLength(MOST_ACTIONS, `At most ${MOST_ACTIONS} actions.`),
    z.superRefine((actions, context) => {
      for (const [at, { action }] of actions.entries())
        if (actions.findIndex((other) => other.action === action) < at)
          context.addIssue({ code: 'custom', message: 'This action is listed already.', path: [at, 'action'] })
    }),
  ),
}
export const siteDifficulty = z.object(difficultyFields)
export type SiteDifficulty = z.infer<typeof siteDifficulty>

/** A site's policy, as the console edits it. The form and the server validate it with the same schema. */
export const sitePolicy = z.object({
  ...difficultyFields,
  /** Clients that name an automation tool, or whose browser says that a program drives it, get no challenge. */
  refuseAutomation: z.boolean(),
  grantsEnabled: z.boolean(),
  /** Seconds. */
  grantMaxTtl: whole(60, 3600),
  grantMaxUses: whole(1, 10),
  /** Seconds since a session's last solved challenge within which its grants can be renewed; 0: never. */
  grantRenewal: whole(0, 86_400),
  /** Intents, and redemptions, per second; the burst above it. The plan limits both. */
  ratePerSecond: whole(1, 200),
  rateBurst: whole(1, 400),
  /** Intents per subject in 10 minutes. */
  subjectLimit: whole(1, 1000),
  /** Requests of a visitor's network (an IPv4 address, an IPv6 /64) per minute that yield nothing, such as wrong solutions. */
  networkLimit: whole(1, 6000),
})

export type SitePolicy = z.infer<typeof sitePolicy>

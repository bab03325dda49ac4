import * as z from 'zod/mini'

const whole = (min: number, max: number) => {
  const message = `A whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`
  return z.int(message).check(z.gte(min, message), z.lte(max, message))
}

/** Expected hashes of a challenge: from almost none to 12 s on a slow phone, which is also the maximum after raising. */
export const WORK_BOUNDS = { min: 1024, max: 6_291_456 } as const

/**
 * Which challenges a site's visitors get: SHA-256, HashWX (browsers that cannot solve it get SHA-256 at eight times the
 * difficulty), or HashWX where the browser can and SHA-256 where it cannot.
 */
export const CHALLENGE_KINDS = ['sha256', 'hashwx', 'auto'] as const
export type ChallengeKind = (typeof CHALLENGE_KINDS)[number]

/** A site's policy, as the console edits it. The form and the server validate it with the same schema. */
export const sitePolicy = z.object({
  /** Expected hashes of a challenge before it is raised. */
  baseWork: whole(WORK_BOUNDS.min, WORK_BOUNDS.max),
  workMode: z.enum(['adaptive', 'fixed', 'attack']),
  challengeKind: z.enum(CHALLENGE_KINDS),
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
  /** Requests of a visitor's network (an IPv4 address, an IPv6 /64) per minute, for challenges and solutions together. */
  networkLimit: whole(1, 6000),
})

export type SitePolicy = z.infer<typeof sitePolicy>

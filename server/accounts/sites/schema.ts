import { z } from 'zod'

/** A site's policy, as the console edits it. Isomorphic: the form and the server hold it against the same bounds. */
export const sitePolicy = z.object({
  /** Expected hashes of a challenge before anything raises it: from next to nothing to 12 s of a slow phone. */
  baseWork: z.int().min(1024).max(6_291_456),
  workMode: z.enum(['adaptive', 'fixed', 'attack']),
  grantsEnabled: z.boolean(),
  /** Seconds. */
  grantMaxTtl: z.int().min(60).max(3600),
  grantMaxUses: z.int().min(1).max(10),
  /** Permits, and redemptions, per second; the burst above it. The plan bounds both. */
  ratePerSecond: z.int().min(1).max(200),
  rateBurst: z.int().min(1).max(400),
  /** Permits per subject in 10 minutes. */
  subjectLimit: z.int().min(1).max(1000),
})

export type SitePolicy = z.infer<typeof sitePolicy>

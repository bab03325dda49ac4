import { z } from 'zod'
import { ALERT_PERCENTS } from './alerts.ts'
import { HOSTNAME, NAME_MOST, SLUG } from './names.ts'
import { NETWORK_NOTE_MAX, networkVerdict, SITE_NETWORKS_MAX } from './networks.ts'
import { sitePolicy } from './sitePolicy.ts'

const HOSTNAMES_MAX = 200

const hostname = z.string().regex(HOSTNAME).describe('a hostname in lower case, without scheme, port and path')

const site = z.object({
  name: z.string().min(1).max(NAME_MOST),
  hostnames: z.array(hostname).min(1).max(HOSTNAMES_MAX),
  paused: z.boolean().optional(),
  policy: z.object(sitePolicy.shape).partial().optional(),
  networks: z
    .array(
      z.object({
        network: z.string().max(64),
        verdict: networkVerdict,
        note: z.string().max(NETWORK_NOTE_MAX).optional(),
      }),
    )
    .max(SITE_NETWORKS_MAX)
    .optional(),
})

/** The file of `tollgate apply`: what a tenant has, without secrets. What the file leaves out is not changed. */
export const stateFile = z.object({
  version: z.literal(1),
  sites: z
    .record(z.string().regex(SLUG).describe('a slug: at most 40 lower-case letters, digits and inner hyphens'), site)
    .optional(),
  alerts: z.array(z.literal(ALERT_PERCENTS)).optional(),
  webhooks: z
    .array(
      z.object({
        url: z
          .string()
          .regex(/^https?:\/\//)
          .max(2000)
          .describe('an address that begins with https://'),
        types: z.array(z.string()).min(1),
        enabled: z.boolean().optional(),
      }),
    )
    .optional(),
})

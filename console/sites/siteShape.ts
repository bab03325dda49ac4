import { z } from 'zod'
import { HOSTNAME } from '../../server/accounts/sites/hostnames/grammar.ts'

/** A new site as people type it. */
export const siteShape = z.object({
  name: z.string().trim().min(1, 'Give it a name.').max(120, 'At most 120 characters.'),
  hostname: z
    .string()
    .trim()
    .toLowerCase()
    .regex(HOSTNAME, 'A hostname such as shop.example, without https:// and path.'),
})

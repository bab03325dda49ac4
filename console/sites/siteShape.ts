import * as z from 'zod/mini'
import { HOSTNAME } from '../../server/accounts/sites/hostnames/grammar.ts'

/** A new site as people type it. */
export const siteShape = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Give it a name.'), z.maxLength(120, 'At most 120 characters.')),
  hostname: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.regex(HOSTNAME, 'A hostname such as shop.example, without https:// and path.')),
})

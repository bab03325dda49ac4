import * as z from 'zod/mini'
import { hostnameShape } from './hostname.ts'

/** A new site as people type it. */
export const siteShape = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'At most 120 characters.')),
  hostname: hostnameShape,
})

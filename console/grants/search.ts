import * as z from 'zod/mini'
import { lenient } from '../ui/form/lenient.ts'
import { periodSearch } from '../ui/form/period.ts'

/** The page's search parameters. */
export const grantSearch = z.object({
  ...periodSearch,
  state: lenient(z.enum(['active', 'used', 'expired', 'revoked'])),
  site: lenient(z.uuid()),
  /** Its first hex digits, or all 64. */
  session: lenient(z.string().check(z.regex(/^[0-9a-f]{8,64}$/))),
})

export type GrantSearch = z.infer<typeof grantSearch>

import * as z from 'zod/mini'
import { lenient } from '../ui/form/lenient.ts'
import { periodSearch } from '../ui/form/period.ts'

const word = lenient(z.string().check(z.maxLength(64)))

/** The page's search parameters. */
export const refusalSearch = z.object({
  ...periodSearch,
  site: lenient(z.uuid()),
  endpoint: word,
  code: word,
  field: word,
})

import * as z from 'zod/mini'
import { lenient } from '../ui/form/lenient.ts'
import { periodSearch } from '../ui/form/period.ts'

const word = lenient(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)))

/** The page's search parameters. */
export const feedbackSearch = z.object({
  ...periodSearch,
  site: lenient(z.uuid()),
  outcome: lenient(z.enum(['confirmed_abuse', 'legitimate', 'unknown'])),
  /** The business type. */
  type: word,
  action: word,
  /** The decision whose history is open, by its intent's id. */
  report: lenient(z.uuid()),
})

export type FeedbackSearch = z.infer<typeof feedbackSearch>

import * as z from 'zod/mini'
import { hasAtMost, NAME_MOST, nameFault } from '../../../server/contract/names.ts'

/** Refuses a text of more characters, as its reader counts them. */
export const atMost = (most: number) => z.refine<string>((text) => hasAtMost(most, text), `At most ${most} characters.`)

const FAULTS = {
  long: `At most ${NAME_MOST} characters.`,
  hidden: 'The name contains a character that cannot be seen. Type it instead of pasting it.',
} as const

/** The name of something in a form. `missing`: what is said if there is none. */
export const nameShape = (missing = 'Enter a name.') =>
  z.string().check(
    z.trim(),
    z.superRefine((text, context) => {
      const fault = nameFault(text)
      if (fault !== undefined)
        context.addIssue({ code: 'custom', message: fault === 'long' || fault === 'hidden' ? FAULTS[fault] : missing })
    }),
  )

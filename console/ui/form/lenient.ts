import * as z from 'zod/mini'
import { catch as fallBack } from 'zod/mini'

/** What may be in the URL; absent where it is missing or not well formed. */
export const lenient = <Schema extends z.core.$ZodType>(schema: Schema) => fallBack(z.optional(schema), undefined)

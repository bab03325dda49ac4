import { z } from 'zod'
import { findReference } from '../accounts/references/find.ts'
import { explainRefusal } from '../captcha/refusals/explain.ts'
import { publicly, router } from './trpc.ts'

/** The last eight digits of a request's id. */
const reference = z.object({ reference: z.string().regex(/^[0-9a-f]{8}$/) })

/** The page that a visitor, a merchant and staff share: /r/… */
export const referencesRouter = router({
  get: publicly.input(reference).query(async ({ ctx, input }) => {
    await ctx.takePublic('reference')
    const { own, ...found } = await findReference(ctx.reading, input.reference, await ctx.caller())
    return { ...found, own: own.map((refusal) => ({ ...refusal, ...explainRefusal(refusal.code, refusal.field) })) }
  }),
})

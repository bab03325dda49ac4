import { z } from 'zod'
import { FAULTS, openTrial, redeemTrial } from '../captcha/playground/playground.ts'
import { explainRefusal } from '../captcha/refusals/explain.ts'
import { refusalFilters } from '../contract/filters.ts'
import { boundedText } from './fields.ts'
import { publicly, router } from './trpc.ts'

const fault = z.enum(FAULTS).optional()

/** The service itself, and what anyone may try of it. */
export const systemRouter = router({
  overview: publicly.query(({ ctx }) => ctx.overview()),
  /** The likely cause and fix of a reply with an error, by its fields. */
  explain: publicly
    .input(z.object({ error: boundedText(64), field: refusalFilters.shape.field }))
    .query(({ input: { error, field } }) => {
      const { cause, fix } = explainRefusal(field === undefined ? error : 'bad-field', field ?? null)
      return { cause, fix }
    }),
  /** The calls of the backend of the page /try. */
  tryOpen: publicly
    .input(z.object({ fault }))
    .mutation(async ({ ctx, input }) => openTrial(await ctx.backendOfTry(), input)),
  tryRedeem: publicly
    .input(z.object({ fault, intentId: z.uuid(), response: boundedText(512) }))
    .mutation(async ({ ctx, input }) => redeemTrial(await ctx.backendOfTry(), input)),
})

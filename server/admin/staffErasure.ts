import { z } from 'zod'
import { exportPerson } from '../accounts/people/export.ts'
import { erasePersonAsStaff, eraseVisitorAsStaff } from '../accounts/staff/erasure.ts'
import { boundedText } from './fields.ts'
import { freshStaff, router } from './trpc.ts'

const person = z.object({ email: boundedText(320) })

/** What is stored about people with an account. */
export const staffPeopleRouter = router({
  /** A mutation, because it is recorded, and because URLs are logged. */
  export: freshStaff('lead')
    .input(person)
    .mutation(({ ctx, input }) => exportPerson(ctx.staff, input)),
  erase: freshStaff('lead')
    .input(person.extend({ confirm: boundedText(320) }))
    .mutation(({ ctx, input }) => erasePersonAsStaff(ctx.staff, input)),
})

/** What is stored about visitors, by the hash that the merchant sent. */
export const staffVisitorsRouter = router({
  erase: freshStaff('lead')
    .input(
      z.object({
        tenant: boundedText(64),
        field: z.enum(['session', 'subject']),
        hash: z.string().regex(/^[0-9a-f]{64}$/),
        confirm: boundedText(64),
      }),
    )
    .mutation(({ ctx, input }) => eraseVisitorAsStaff(ctx.staff, input)),
})

import { z } from 'zod'
import { deleteView } from '../accounts/members/views/delete.ts'
import { listViews } from '../accounts/members/views/list.ts'
import { saveView } from '../accounts/members/views/save.ts'
import { boundedText } from './fields.ts'
import { member, router } from './trpc.ts'

const page = z.object({ page: z.enum(['decisions']) })
const named = page.extend({ name: boundedText(200) })

/** Values that fit into a URL. */
const search = z
  .record(boundedText(32), z.union([boundedText(253), z.number(), z.boolean()]))
  .refine((search) => Object.keys(search).length <= 20, 'at most 20 parameters')

/** A member's own saved filters of a list. */
export const viewsRouter = router({
  list: member('tenant.read')
    .input(page)
    .query(({ ctx, input }) => listViews(ctx.member, input.page)),
  save: member('tenant.read')
    .input(named.extend({ search }))
    .mutation(({ ctx, input }) => saveView(ctx.member, input)),
  delete: member('tenant.read')
    .input(named)
    .mutation(({ ctx, input }) => deleteView(ctx.member, input)),
})

import { publicly, router } from './trpc.ts'

/** The service itself. */
export const systemRouter = router({
  overview: publicly.query(({ ctx }) => ctx.overview()),
})

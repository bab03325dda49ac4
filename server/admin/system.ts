import { overview } from '../ledger/overview.ts'
import { publicly, router } from './trpc.ts'

/** The service itself: what runs here. */
export const systemRouter = router({
  overview: publicly.query(({ ctx }) => overview(ctx)),
})

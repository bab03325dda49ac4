import { systemRouter } from './system.ts'
import { router } from './trpc.ts'

/** The console's API: one router per noun. */
export const appRouter = router({
  system: systemRouter,
})

export type AppRouter = typeof appRouter

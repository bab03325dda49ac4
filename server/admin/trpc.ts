import { initTRPC } from '@trpc/server'
import type { OverviewCtx } from '../ledger/overview.ts'
import { mask } from './mask.ts'

/** What every procedure of the console gets. */
export interface AdminCtx extends OverviewCtx {
  /** `req_…`, the same as the reply's X-Request-Id. */
  requestId: string
}

const t = initTRPC.context<AdminCtx>().create({ errorFormatter: mask })

export const router = t.router

/** A procedure for anybody, signed in or not. */
export const publicly = t.procedure

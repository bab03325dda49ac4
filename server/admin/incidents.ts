import { z } from 'zod'
import { summarizeIncident } from '../captcha/incidents/summarize.ts'
import { listIncidents } from '../captcha/incidents/view.ts'
import { member, paging, router } from './trpc.ts'

export const incidentsRouter = router({
  list: member('decision.read')
    .input(paging)
    .query(({ ctx, input }) => listIncidents(ctx.member, input)),
  /** One incident with the traffic around it and what was done. */
  get: member('decision.read')
    .input(z.object({ id: z.uuid() }))
    .query(({ ctx, input }) => summarizeIncident(ctx.member, input.id)),
})

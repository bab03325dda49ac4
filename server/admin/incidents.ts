import { z } from 'zod'
import { getsIncidentEmails, setIncidentEmails } from '../accounts/members/incidentEmails.ts'
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
  /** Whether the caller gets e-mails about incidents. */
  emails: member('incident.email').query(({ ctx }) => getsIncidentEmails(ctx.member)),
  setEmails: member('incident.email')
    .input(z.object({ on: z.boolean() }))
    .mutation(({ ctx, input }) => setIncidentEmails(ctx.member, input.on)),
})

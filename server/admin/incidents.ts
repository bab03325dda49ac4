import { z } from 'zod'
import { getsIncidentEmails, setIncidentEmails } from '../accounts/members/incidentEmails.ts'
import { shareIncident, unshareIncident, viewSharedIncident } from '../captcha/incidents/share.ts'
import { summarizeIncident } from '../captcha/incidents/summarize.ts'
import { listIncidents } from '../captcha/incidents/view.ts'
import { boundedText } from './fields.ts'
import { member, paging, publicly, rest, router } from './trpc.ts'

export const incidentsRouter = router({
  list: member('decision.read')
    .meta(rest('GET /incidents', 'List incidents', { object: 'sites' }))
    .input(paging)
    .query(({ ctx, input }) => listIncidents(ctx.member, input)),
  /** One incident with the traffic around it and what was done. */
  get: member('decision.read')
    .meta(rest('GET /incidents/{id}', 'One incident with the traffic around it', { object: 'incident' }))
    .input(z.object({ id: z.uuid() }))
    .query(({ ctx, input }) => summarizeIncident(ctx.member, input.id)),
  share: member('incident.share')
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => shareIncident(ctx.member, input.id)),
  unshare: member('incident.share')
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => unshareIncident(ctx.member, input.id)),
  /** The figures of an incident, for anyone who has its link: /i/… */
  shared: publicly.input(z.object({ token: boundedText(64) })).query(async ({ ctx, input }) => {
    await ctx.takePublic('reference')
    return viewSharedIncident(ctx.reading, input.token)
  }),
  /** Whether the caller gets e-mails about incidents. */
  emails: member('incident.email').query(({ ctx }) => getsIncidentEmails(ctx.member)),
  setEmails: member('incident.email')
    .input(z.object({ on: z.boolean() }))
    .mutation(({ ctx, input }) => setIncidentEmails(ctx.member, input.on)),
})

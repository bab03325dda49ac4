import type { MemberCtx } from '../../accounts/access.ts'
import { change } from '../../accounts/change.ts'
import { incidentSubject } from '../../contract/incidentTitle.ts'
import { randomBase62 } from '../../kit/crypto/ids.ts'
import type { Clock } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { type IncidentTraffic, readTraffic } from './summarize.ts'
import { type IncidentView, viewIncident, viewIncidentOf } from './view.ts'

/** About 190 bits, so that a link cannot be guessed. */
const TOKEN_LENGTH = 32

/** The figures of an incident that anyone with its link may see: no site, tenant, host, action, person or charge. */
export type SharedIncident = Pick<
  IncidentView,
  'kind' | 'startedAt' | 'endedAt' | 'peak' | 'usual' | 'networks' | 'workFrom' | 'workTo' | 'honestWork'
> & { subject: string } & IncidentTraffic

/** Makes a link to the figures of an incident, in place of an earlier one. Throws AppError. */
export async function shareIncident(ctx: MemberCtx, id: string): Promise<{ token: string }> {
  const token = randomBase62(TOKEN_LENGTH)
  await setToken(ctx, id, token)
  return { token }
}

/** Ends the link to an incident. Throws AppError. */
export const unshareIncident = (ctx: MemberCtx, id: string): Promise<void> => setToken(ctx, id, null)

async function setToken(ctx: MemberCtx, id: string, shareToken: string | null): Promise<void> {
  await change(ctx, async (ctx) => {
    await viewIncident(ctx, id)
    await ctx.prisma.incident.updateMany({ where: { id, tenantId: ctx.tenant.id }, data: { shareToken } })
    // never the token itself, which is the key to the page
    const action = shareToken === null ? 'incident.unshare' : 'incident.share'
    return { out: undefined, change: { tenantId: ctx.tenant.id, action, target: id } }
  })
}

/** The figures of the incident with this token. Throws AppError if there is none, or if its link was ended. */
export async function viewSharedIncident(ctx: Db & { clock: Clock }, token: string): Promise<SharedIncident> {
  const row = await ctx.prisma.incident.findUnique({ where: { shareToken: token } })
  const tenant = row && (await ctx.prisma.tenant.findFirst({ where: { id: row.tenantId, deletedAt: null } }))
  if (!tenant) throw new AppError('incident-not-found')
  const own = { ...ctx, tenant }
  const incident = await viewIncidentOf(own, row)
  const { kind, startedAt, endedAt, peak, usual, networks, workFrom, workTo, honestWork, cause } = incident
  const { step, points, phases } = await readTraffic(own, incident)
  const withoutCharge = <P extends { charged: number }>(each: P): P => ({ ...each, charged: 0 })
  return {
    kind,
    startedAt,
    endedAt,
    peak,
    usual,
    networks,
    workFrom,
    workTo,
    honestWork,
    subject: incidentSubject(kind, cause),
    step,
    points: points.map(withoutCharge),
    phases: phases.map(withoutCharge),
  }
}

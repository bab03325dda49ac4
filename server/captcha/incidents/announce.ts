import type { IncidentKind } from '../../../prisma/client/enums.ts'
import { composeEmail, quotable } from '../../accounts/email.ts'
import { recipientsOf } from '../../accounts/members/recipients.ts'
import { emitEvent } from '../../accounts/webhooks/emit.ts'
import { natureOf } from '../../contract/incidents.ts'
import { incidentSubject, incidentTitle } from '../../contract/incidentTitle.ts'
import { PERMISSIONS } from '../../contract/permissions.ts'
import type { EventData } from '../../contract/webhooks.ts'
import type { Context } from '../../kit/context.ts'
import { type Db, transact } from '../../kit/db/transact.ts'
import type { Email } from '../../kit/process/mail.ts'
import { type EmailCtx, enqueueEmails } from '../../kit/queue/email.ts'
import { groupBy } from '../../ledger/usage/groupBy.ts'
import { refusedKind } from '../../ledger/usage/series.ts'

type Ctx = EmailCtx & Pick<Context, 'config'>

type Announced = {
  id: string
  tenant_id: string
  site_id: string
  site: string
  slug: string
  kind: IncidentKind
  minutes: number
  peak: number
  usual: number
  action: string | null
  hostname: string | null
  cause: string | null
  /** Whether the difficulty was raised. */
  raised: boolean
}

/**
 * E-mails the owners, admins and developers of a site, unless they turned it off, and calls the tenant's webhooks about incidents: when one starts, at most hourly for a site, and when
 * one that was announced has ended. Each is sent once, even if several nodes run this at the same time.
 */
export async function announceIncidents(ctx: Ctx): Promise<void> {
  await transact(ctx, async (ctx) => {
    const started = await claimStarted(ctx)
    for (const incident of started) await emitEvent(ctx, incident.tenant_id, 'incident.started', dataOf(incident))
    await enqueueFor(ctx, [...groupBy(started, ({ site_id }) => site_id).values()], startEmail)
    const ended = await claimEnded(ctx)
    for (const incident of ended)
      await emitEvent(ctx, incident.tenant_id, 'incident.ended', { ...dataOf(incident), minutes: incident.minutes })
    await enqueueFor(
      ctx,
      ended.map((incident) => [incident]),
      endEmail,
    )
  })
}

const dataOf = ({ id, site_id, kind, peak, usual }: Announced): EventData['incident.started'] => ({
  incident: id,
  site: site_id,
  kind,
  peak,
  usual,
})

const claimStarted = ({ prisma }: Db): Promise<Announced[]> =>
  prisma.$queryRaw<Announced[]>`
    with site_claimed as (
      update site s set incident_mailed_at = now() from tenant t
      where t.id = s.tenant_id and (s.incident_mailed_at is null or s.incident_mailed_at <= now() - interval '1 hour')
        and exists (select from incident i where i.site_id = s.id and i.ended_at is null and i.announced_at is null)
      returning s.id, s.name, t.slug
    )
    update incident i set announced_at = now() from site_claimed s
    where i.site_id = s.id and i.ended_at is null and i.announced_at is null
    returning i.id::text, i.tenant_id::text, i.site_id::text, s.name as site, s.slug, i.kind::text, i.peak, i.usual, i.action,
      i.hostname, i.cause, i.networks > 0 and i.work_to > i.work_from as raised,
      ceil(extract(epoch from now() - i.started_at) / 60)::float8 as minutes`

const claimEnded = ({ prisma }: Db): Promise<Announced[]> =>
  prisma.$queryRaw<Announced[]>`
    update incident i set end_announced_at = now() from site s join tenant t on t.id = s.tenant_id
    where s.id = i.site_id and i.ended_at > now() - interval '1 day' and i.announced_at is not null
      and i.end_announced_at is null
    returning i.id::text, i.tenant_id::text, i.site_id::text, s.name as site, t.slug, i.kind::text, i.peak, i.usual, i.action,
      i.hostname, i.cause, i.networks > 0 and i.work_to > i.work_from as raised,
      ceil(extract(epoch from i.ended_at - i.started_at) / 60)::float8 as minutes`

/** Each group of incidents of one tenant is one e-mail to each recipient. */
async function enqueueFor(
  ctx: Ctx,
  groups: readonly (readonly Announced[])[],
  compose: (publicUrl: string, to: string, incidents: readonly Announced[]) => Email,
): Promise<void> {
  const tenantIds = groups.flatMap(([incident]) => incident?.tenant_id ?? [])
  const recipients = await recipientsOf(ctx, tenantIds, PERMISSIONS['incident.email'], { incidentEmails: true })
  const emails = groups.flatMap((incidents) =>
    recipients
      .filter(({ tenantId }) => tenantId === incidents[0]?.tenant_id)
      .map(({ tenantId, email }) => ({ ...compose(ctx.config.publicUrl, email, incidents), tenant: tenantId })),
  )
  await enqueueEmails(ctx, emails)
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const siteOf = (incidents: readonly Announced[]) => quotable(incidents[0]?.site ?? '', 'your site')

const linkOf = (publicUrl: string, [incident]: readonly Announced[]) => ({
  label: 'See the incident',
  url: `${publicUrl}/o/${incident?.slug}/incidents/${incident?.id}`,
})

const endpointOf = ({ cause }: Announced) => cause?.split(' ')[0]

/** Without the host, of which a mail program could make a link. */
function subjectOf(incidents: readonly Announced[]): string {
  const [first, ...others] = incidents.map((incident) => ({
    ...incident,
    cause: incident.cause === null ? null : refusedKind(incident.cause),
  }))
  if (!first) return ''
  const title = incidentTitle({ ...first, site: siteOf(incidents), hostname: null })
  return [title, ...others.map(({ kind, cause }) => incidentSubject(kind, cause).toLowerCase())].join(', and ')
}

const minutes = (n: number) => (n === 1 ? '1 minute' : `${number.format(n)} minutes`)

const ENDING =
  'You are receiving this e-mail as an owner, admin or developer of this tenant. You can turn it off for yourself on the page Incidents of the console.'

function startEmail(publicUrl: string, to: string, incidents: readonly Announced[]): Email {
  return composeEmail({
    to,
    subject: subjectOf(incidents),
    paragraphs: [
      ...incidents.map((incident) => sentenceOf(incident)),
      incidents.some(({ raised }) => raised)
        ? 'Tollgate has raised the difficulty for the networks that cause it, and refuses what is above their limits.'
        : 'Tollgate refuses what is above the limits of the site. The difficulty was not raised.',
      incidents.every((incident) => natureOf(incident.kind, endpointOf(incident)) === 'backend')
        ? 'Your own servers make these calls: the fix is in your backend. The incident page leads to the requests and names the servers.'
        : 'If that is not enough, the incident page has attack mode, which ends by itself after an hour.',
    ],
    link: linkOf(publicUrl, incidents),
    ending: `${ENDING} The start of an incident is sent at most once an hour for a site.`,
  })
}

function sentenceOf({ kind, minutes: n, peak, usual, action, hostname, cause }: Announced): string {
  const where = [
    action && `Most frequent action: ${action}.`,
    hostname && `Most frequent host: ${quotable(hostname, 'see the incident')}.`,
  ]
  const what =
    kind === 'work'
      ? `For ${minutes(n)}, something has raised ${percent.format(peak)} of the challenges that were solved. Usual at this time: ${percent.format(usual)}.`
      : `For ${minutes(n)}, requests have been refused more often than usual: ${number.format(peak)} in 10 minutes. Usual at this time: ${number.format(usual)}.`
  return [what, cause && `Most frequent refusal: ${cause.replace(' bad-field', ' bad-request')}.`, ...where]
    .filter(Boolean)
    .join(' ')
}

function endEmail(publicUrl: string, to: string, incidents: readonly Announced[]): Email {
  const [incident] = incidents
  return composeEmail({
    to,
    subject: `${siteOf(incidents)}: the incident has ended`,
    paragraphs: [
      `It lasted ${minutes(incident?.minutes ?? 0)}. The incident page has what was refused and charged before, during and after it, and what was done.`,
    ],
    link: linkOf(publicUrl, incidents),
    ending: ENDING,
  })
}

import type { OperatorCtx } from '../../server/accounts/access.ts'

/** An event of the demo data, and the page of the console that shows it. */
export type Chapter = { title: string; about: string; path: string }

/** What happened at the demo tenant in the last month, the latest first. */
export async function readStory(
  { prisma }: Pick<OperatorCtx, 'prisma'>,
  { id: tenantId, slug }: { id: string; slug: string },
): Promise<Chapter[]> {
  const [portal, incidents] = await Promise.all([
    prisma.site.findFirst({ where: { tenantId, name: 'Customer portal' }, select: { id: true } }),
    prisma.incident.findMany({ where: { tenantId }, orderBy: { startedAt: 'desc' } }),
  ])
  const [now, attack] = incidents.filter(({ kind }) => kind === 'work')
  const release = incidents.find(({ kind }) => kind === 'refusals')
  const of = (path: string) => `/o/${slug}${path}`
  const incidentPath = (incident: { id: string } | undefined) =>
    of(incident ? `/incidents/${incident.id}` : '/incidents')
  return [
    {
      title: 'Accounts for spam are being made',
      about: 'An incident that is going on: what rose, what was done about it, and what visitors pay.',
      path: incidentPath(now),
    },
    {
      title: 'One server still uses a secret that has ended',
      about: 'A leaked secret was rotated without an outage. The doctor names the server that was forgotten.',
      path: of(portal ? `/sites/${portal.id}/integrate` : '/sites'),
    },
    {
      title: 'Stolen cards were tested',
      about: 'For six hours the challenges of a few machines became harder, and those of other visitors did not.',
      path: incidentPath(attack),
    },
    {
      title: 'Feedback was corrected',
      about: 'Abuse was reported, the customer called, and the report was taken back.',
      path: of('/feedback?period=30d'),
    },
    {
      title: 'A release broke checkout',
      about: 'Its new host was not allowed. The incident leads to the refused requests.',
      path: incidentPath(release),
    },
  ]
}

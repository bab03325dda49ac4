import type { OperatorCtx } from '../../server/accounts/access.ts'
import type { Chapter } from '../../server/ledger/overview.ts'

/** What happened at the demo tenant in the last month, in order. */
export async function readStory(
  { prisma }: Pick<OperatorCtx, 'prisma'>,
  { id: tenantId, slug }: { id: string; slug: string },
): Promise<Chapter[]> {
  const [release, attack, portal, correction] = await Promise.all([
    prisma.incident.findFirst({ where: { tenantId, kind: 'refusals' }, orderBy: { startedAt: 'desc' } }),
    prisma.incident.findFirst({
      where: { tenantId, kind: 'work', endedAt: { not: null } },
      orderBy: { startedAt: 'desc' },
    }),
    prisma.site.findFirst({ where: { tenantId, name: 'Customer portal' }, select: { id: true } }),
    prisma.feedbackEvent.findFirst({
      where: { tenantId, supersedes: { not: null } },
      orderBy: { createdAt: 'desc' },
    }),
  ])
  const chapter = (title: string, about: string, list: string, id: string | undefined, page = '') => ({
    title,
    about,
    path: `/o/${slug}/${list}${id === undefined ? '' : `/${id}${page}`}`,
  })
  return [
    chapter(
      'A release broke checkout',
      'The new version sent a host that was not allowed. Its requests were refused until the host was added.',
      'incidents',
      release?.id,
    ),
    chapter(
      'Stolen cards were tested',
      'The difficulty rose by itself, most for the attacker’s networks, until the attack ended after six hours.',
      'incidents',
      attack?.id,
    ),
    chapter(
      'A leaked secret was rotated',
      'No call failed while both secrets worked. One server was forgotten, and the doctor names it.',
      'sites',
      portal?.id,
      '/integrate',
    ),
    chapter(
      'Feedback was corrected',
      'A visitor was reported for abuse, then the customer called, and the report was corrected.',
      'decisions',
      correction?.decisionId,
    ),
  ]
}

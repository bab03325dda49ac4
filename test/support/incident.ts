import type { Prisma } from '../../prisma/client/client.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import type { TestApp } from './app.ts'
import type { MadeSite } from './make.ts'

const before = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** An incident of the site from 60 until 40 minutes ago, unless said otherwise; returns its id. */
export async function makeIncident(
  { ctx }: Pick<TestApp, 'ctx'>,
  { tenantId, siteId }: Pick<MadeSite, 'tenantId' | 'siteId'>,
  more: Partial<Prisma.IncidentCreateManyInput> = {},
): Promise<string> {
  const id = newId()
  await ctx.prisma.incident.create({
    data: {
      id,
      tenantId,
      siteId,
      kind: 'refusals',
      peak: 90,
      usual: 2,
      startedAt: before(60),
      seenAt: before(40),
      endedAt: before(40),
      action: 'login',
      hostname: 'shop.example',
      cause: '/solve bad-field solution',
      networks: 0,
      workFrom: 64,
      workTo: 64,
      honestWork: 64,
      ...more,
    },
  })
  return id
}

import type { Db } from '../../kit/transact.ts'

/** How long a freed slug belongs to no other tenant, so that links to it do not lead to a stranger's pages. */
const HOLD_MS = 90 * 86_400_000

/** Holds a slug that the tenant gives up, for 90 days. */
export async function holdSlug({ prisma }: Db, slug: string, tenantId: string): Promise<void> {
  await prisma.slugHold.deleteMany({ where: { until: { lte: new Date() } } })
  const until = new Date(Date.now() + HOLD_MS)
  await prisma.slugHold.upsert({ where: { slug }, create: { slug, tenantId, until }, update: { tenantId, until } })
}

/**
 * Whether the slug is held for another tenant than `tenantId`. Call it after reading or writing the tenants' slugs: a hold
 * commits together with the change that frees the slug.
 */
export async function isHeld({ prisma }: Db, slug: string, tenantId?: string): Promise<boolean> {
  const hold = await prisma.slugHold.findUnique({ where: { slug, until: { gt: new Date() } } })
  return hold !== null && hold.tenantId !== tenantId
}

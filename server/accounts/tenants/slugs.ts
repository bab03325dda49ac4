import type { Db } from '../../kit/db/transact.ts'

/** How long a freed slug belongs to no other tenant, so that links to it do not lead to a stranger's pages. */
const HOLD_DAYS = 90

/** Holds a slug that the tenant gives up, for 90 days. */
export async function holdSlug({ prisma }: Db, slug: string, tenantId: string): Promise<void> {
  await prisma.$executeRaw`delete from slug_hold where until <= now()`
  await prisma.$executeRaw`
    insert into slug_hold (slug, tenant_id, until) values (${slug}, ${tenantId}::uuid, now() + make_interval(days => ${HOLD_DAYS}))
    on conflict (slug) do update set tenant_id = excluded.tenant_id, until = excluded.until`
}

/**
 * Whether the slug is held for another tenant than `tenantId`. Call it after reading or writing the tenants' slugs: a hold
 * commits together with the change that frees the slug.
 */
export async function isHeld({ prisma }: Db, slug: string, tenantId?: string): Promise<boolean> {
  const holds = await prisma.$queryRaw<{ tenantId: string }[]>`
    select tenant_id as "tenantId" from slug_hold where slug = ${slug} and until > now()`
  return holds.some((hold) => hold.tenantId !== tenantId)
}

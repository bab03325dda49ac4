import type { OperatorCtx } from '../server/accounts/access.ts'
import { createSite } from '../server/accounts/sites/create.ts'
import { createTenant } from '../server/accounts/tenants/create.ts'

const SLUG = 'demo'

/** The evaluation's tenant and the demo shop's site. Seeds once; later calls find what is there, without a secret. */
export async function seed(
  ctx: OperatorCtx,
): Promise<{ site: { id: string; tenantId: string; sitekey: string }; secret?: string }> {
  const tenant =
    (await ctx.prisma.tenant.findUnique({ where: { slug: SLUG } })) ??
    (await createTenant(ctx, { name: 'Demo', slug: SLUG, quota: 10_000 }))
  const site = await ctx.prisma.site.findFirst({ where: { tenantId: tenant.id }, orderBy: { createdAt: 'asc' } })
  if (site) return { site }
  const { id, sitekey, secret } = await createSite(ctx, tenant, {
    name: 'Demo shop',
    hostnames: ['localhost', '127.0.0.1'],
  })
  return { site: { id, tenantId: tenant.id, sitekey }, secret }
}

import type { Prisma } from '../../prisma/client/client.ts'
import { admitOperator } from '../../server/accounts/access.ts'
import { addBalance } from '../../server/accounts/plans/addBalance.ts'
import { createSite } from '../../server/accounts/sites/create.ts'
import { createTenant } from '../../server/accounts/tenants/create.ts'
import type { Context } from '../../server/kit/context.ts'

export type MadeSite = { tenantId: string; siteId: string; sitekey: string; secret: string }

/** Creates a site of a new tenant (or of `tenantId`) with minimal difficulty. `balance`: prepaid units of the tenant. */
export async function makeSite(
  ctx: Context,
  options: {
    quota?: number
    balance?: number
    tenantId?: string
    hostnames?: string[]
    policy?: Prisma.SiteUpdateInput
  } = {},
): Promise<MadeSite> {
  const operator = admitOperator(ctx, 'test')
  const tenantId = options.tenantId ?? (await createTenant(operator, { name: 'Test', quota: options.quota ?? 1000 })).id
  if (options.balance) await addBalance(operator, { id: tenantId }, { units: options.balance, reason: 'test' })
  const site = await createSite(
    operator,
    { id: tenantId },
    { name: 'Test', hostnames: options.hostnames ?? ['shop.example'] },
  )
  await ctx.prisma.site.update({
    where: { id: site.id },
    // its clients name no kinds, which are rationed by the default
    data: { baseWork: 64, challengeKind: 'sha256', ratePerSecond: 10_000, rateBurst: 20_000, ...options.policy },
  })
  return { tenantId, siteId: site.id, sitekey: site.sitekey, secret: site.secret }
}

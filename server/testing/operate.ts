import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../prisma/client/client.ts'
import { admitOperator } from '../accounts/access.ts'
import { addBalance } from '../accounts/plans/addBalance.ts'
import { setQuota } from '../accounts/plans/setQuota.ts'
import { hashSecret } from '../accounts/sites/secrets/verify.ts'
import type { Context } from '../kit/context.ts'
import { newId, newSecretKey, newSitekey } from '../kit/ids.ts'
import { reconcile } from '../ledger/quota/reconcile.ts'
import type { MadeSite } from './make.ts'

/** Makes tenants of `quota` units a month with their sites, all at once: a run of thousands of sequences needs thousands of them. */
export async function makeTenants(
  ctx: Context,
  quota: number,
  shapes: readonly (readonly { hostnames: string[]; policy: Partial<Prisma.SiteCreateManyInput> }[])[],
): Promise<MadeSite[][]> {
  const tenants = shapes.map((sites) => ({ id: newId(), sites }))
  const made = tenants.map(({ id: tenantId, sites }) =>
    sites.map((site) => ({ tenantId, siteId: newId(), sitekey: newSitekey(), secret: newSecretKey(), ...site })),
  )
  const sites = made.flat()
  await ctx.prisma.tenant.createMany({
    data: tenants.map(({ id }) => ({ id, slug: randomUUID(), name: 'Test', monthlyQuota: quota })),
  })
  await ctx.prisma.site.createMany({
    data: sites.map(({ siteId: id, tenantId, sitekey, policy }) => ({
      id,
      tenantId,
      sitekey,
      name: 'Test',
      ...policy,
    })),
  })
  await ctx.prisma.hostname.createMany({
    data: sites.flatMap(({ siteId, tenantId, hostnames }) =>
      hostnames.map((hostname) => ({ siteId, tenantId, hostname })),
    ),
  })
  await ctx.prisma.secret.createMany({
    data: sites.map(({ siteId, tenantId, secret }) => ({
      id: newId(),
      siteId,
      tenantId,
      hash: new Uint8Array(hashSecret(secret)),
      last4: 'test',
    })),
  })
  return made.map((sites) =>
    sites.map(({ tenantId, siteId, sitekey, secret }) => ({ tenantId, siteId, sitekey, secret })),
  )
}

/** What a tenant's people and ours can change, effective at this server at once. */
export function operate(ctx: Context) {
  const operator = admitOperator(ctx, 'test')
  return {
    async changeSite({ siteId, tenantId }: MadeSite, data: Prisma.SiteUpdateInput): Promise<void> {
      await ctx.prisma.site.update({ where: { id: siteId }, data })
      ctx.notices.tell(tenantId)
    },
    async suspendTenant(tenantId: string, suspended: boolean): Promise<void> {
      await ctx.prisma.tenant.update({
        where: { id: tenantId },
        data: { suspendedAt: suspended ? new Date() : null },
      })
      ctx.notices.tell(tenantId)
    },
    /** The charges that do not match their decisions, of all tenants. */
    mismatches: async () => (await reconcile(ctx)).mismatches,
    async setQuota(tenantId: string, quota: number): Promise<void> {
      await setQuota(operator, { id: tenantId, monthlyQuota: 0n }, quota)
    },
    async topUp(tenantId: string, units: number): Promise<void> {
      await addBalance(operator, { id: tenantId }, { units, reason: 'test' })
    },
  }
}

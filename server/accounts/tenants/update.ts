import { isDuplicate } from '../../kit/db/outage.ts'
import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { checkName } from '../name.ts'
import { checkSlug, slugTaken } from './create.ts'
import { holdSlug, isHeld } from './slugs.ts'
import { type TenantView, viewTenant } from './view.ts'

/** Absent values do not change. A new slug changes the address of every page, and frees the old slug in 90 days. */
export type TenantUpdate = { name?: string | undefined; slug?: string | undefined; require2fa?: boolean | undefined }

/** Changes the tenant's name, slug, or whether its members need a second factor. Throws AppError. */
export async function updateTenant(ctx: MemberCtx, input: TenantUpdate): Promise<TenantView> {
  const data = {
    ...(input.name === undefined ? {} : { name: checkName('tenant', input.name) }),
    ...(input.slug === undefined ? {} : { slug: input.slug }),
    ...(input.require2fa === undefined ? {} : { require2fa: input.require2fa }),
  }
  if (input.slug !== undefined) checkSlug(input.slug)
  if (input.require2fa === true && !ctx.user.twoFactorEnabled) throw new AppError('own-factor-missing')
  return change(ctx, async (ctx) => {
    const { name, slug, require2fa } = await ctx.prisma.tenant.findUniqueOrThrow({ where: { id: ctx.tenant.id } })
    await ctx.prisma.tenant.update({ where: { id: ctx.tenant.id }, data })
    if (input.slug !== undefined && input.slug !== slug) {
      if (await isHeld(ctx, input.slug, ctx.tenant.id)) throw slugTaken(input.slug)
      await holdSlug(ctx, slug, ctx.tenant.id)
    }
    return {
      out: await viewTenant(ctx),
      change: {
        tenantId: ctx.tenant.id,
        action: 'tenant.update',
        target: ctx.tenant.id,
        before: { name, slug, require2fa },
        after: { name, slug, require2fa, ...data },
      },
    }
  }).catch((error: unknown) => {
    throw isDuplicate(error) && input.slug !== undefined ? slugTaken(input.slug) : error
  })
}

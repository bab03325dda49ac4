import { DEFAULT_ALERTS } from '../../contract/alerts.ts'
import { SLUG } from '../../contract/names.ts'
import { newId, randomBase62 } from '../../kit/crypto/ids.ts'
import { isDuplicate } from '../../kit/db/outage.ts'
import { AppError } from '../../kit/error.ts'
import { type ActorContext, change } from '../change.ts'
import { checkName } from '../name.ts'
import { isHeld } from './slugs.ts'

/** A slug for a name: ASCII, lower case, at most 40 characters; `otherwise` if nothing is left of the name. */
export function slugOf(name: string, otherwise: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ]/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return slug || otherwise
}

/** Creates a tenant with a monthly quota of `quota` units. If the slug made from the name is taken, it gets a short suffix. */
export async function createTenant(
  ctx: ActorContext,
  input: { name: string; quota: number; slug?: string | undefined; demo?: boolean },
): Promise<{ id: string; slug: string }> {
  const name = checkName('tenant', input.name)
  if (input.slug !== undefined) checkSlug(input.slug)
  return change(ctx, async (ctx) => {
    const wanted = input.slug ?? slugOf(name, 'tenant')
    // tenants of one name that are created at once wait for each other here, so that each sees the slugs of the others
    await ctx.prisma.$executeRaw`select pg_advisory_xact_lock(hashtext('tenant.slug'), hashtext(${wanted}))`
    const taken = (await ctx.prisma.tenant.count({ where: { slug: wanted } })) > 0 || (await isHeld(ctx, wanted))
    if (taken && input.slug !== undefined) throw slugTaken(wanted)
    const slug = taken ? `${wanted.slice(0, 33)}-${randomBase62(6).toLowerCase()}` : wanted
    const id = newId()
    await ctx.prisma.tenant.create({ data: { id, slug, name, monthlyQuota: input.quota, demo: input.demo ?? false } })
    await ctx.prisma.balance.create({ data: { tenantId: id } })
    await ctx.prisma.usageAlert.createMany({ data: DEFAULT_ALERTS.map((percent) => ({ tenantId: id, percent })) })
    return {
      out: { id, slug },
      change: { tenantId: id, action: 'tenant.create', target: id, after: { name, slug, monthly_quota: input.quota } },
    }
  }).catch((error: unknown) => {
    throw isDuplicate(error) ? slugTaken(input.slug ?? slugOf(name, 'tenant')) : error
  })
}

/** Throws AppError if the text is not a valid slug. */
export function checkSlug(slug: string): void {
  if (!SLUG.test(slug)) throw new AppError('slug-invalid', { slug })
}

export const slugTaken = (slug: string) => new AppError('slug-taken', { slug })

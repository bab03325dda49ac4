import { newId, randomBase62 } from '../../kit/ids.ts'
import { type Acting, change } from '../change.ts'
import { AccountError } from '../error.ts'

/** A slug for a name: ASCII, lower case, at most 40 characters. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return slug || 'tenant'
}

/** Makes a tenant with `quota` units included each month. A slug that is taken gets a short ending. */
export async function createTenant(
  ctx: Acting,
  input: { name: string; quota: number; slug?: string },
): Promise<{ id: string; slug: string }> {
  const name = input.name.trim()
  if (name === '' || name.length > 120)
    throw new AccountError('invalid', 'A tenant needs a name of 1 to 120 characters.')
  return change(ctx, async (ctx) => {
    const wanted = input.slug ?? slugOf(name)
    const taken = await ctx.prisma.tenant.findUnique({ where: { slug: wanted } })
    if (taken && input.slug) throw new AccountError('conflict', `The slug "${wanted}" is taken.`)
    const slug = taken ? `${wanted}-${randomBase62(6).toLowerCase()}` : wanted
    const id = newId()
    await ctx.prisma.tenant.create({ data: { id, slug, name, monthlyQuota: input.quota } })
    await ctx.prisma.balance.create({ data: { tenantId: id } })
    return {
      out: { id, slug },
      change: { tenantId: id, action: 'tenant.create', target: id, after: { name, slug, monthly_quota: input.quota } },
    }
  })
}

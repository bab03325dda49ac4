import type { MemberCtx } from '../../access.ts'
import { AccountError } from '../../error.ts'

/** Deletes one of the member's own views. Throws AccountError. */
export async function deleteView(
  ctx: MemberCtx,
  { page, name }: { page: string; name: string },
): Promise<{ name: string }> {
  const { count } = await ctx.prisma.savedView.deleteMany({
    where: { tenantId: ctx.tenant.id, userId: ctx.user.id, page, name },
  })
  if (count === 0) throw new AccountError('not-found', 'There is no such view.')
  return { name }
}

import { AppError } from '../../../kit/error.ts'
import type { MemberCtx } from '../../access.ts'

/** Deletes one of the member's own views. Throws AppError. */
export async function deleteView(
  ctx: MemberCtx,
  { page, name }: { page: string; name: string },
): Promise<{ name: string }> {
  const { count } = await ctx.prisma.savedView.deleteMany({
    where: { tenantId: ctx.tenant.id, userId: ctx.user.id, page, name },
  })
  if (count === 0) throw new AppError('view-not-found')
  return { name }
}

import type { Prisma } from '../../../../prisma/client/client.ts'
import type { MemberCtx } from '../../access.ts'

/** `search`: the list's search parameters. */
export type SavedView = { id: string; name: string; search: Prisma.JsonValue }

/** The member's own views of a page, by name. */
export const listViews = (ctx: MemberCtx, page: string): Promise<SavedView[]> =>
  ctx.prisma.savedView.findMany({
    where: { tenantId: ctx.tenant.id, userId: ctx.user.id, page },
    select: { id: true, name: true, search: true },
    orderBy: { name: 'asc' },
  })

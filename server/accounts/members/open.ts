import type { Clock } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'

/** The invitations to an address that can still be accepted, as a condition of a query. */
export const openFor = ({ clock }: { clock: Clock }, email: string) => ({
  email,
  acceptedAt: null,
  revokedAt: null,
  expiresAt: { gt: new Date(clock.now()) },
  tenant: { deletedAt: null },
})

/** Whether the invitation is to the address and can still be accepted. The id is known only to the mailbox that it was sent to. */
export const isInvited = async (ctx: Db & { clock: Clock }, id: string, email: string): Promise<boolean> =>
  (await ctx.prisma.invitation.count({ where: { ...openFor(ctx, email), id } })) > 0

/** The newest open invitation to the address; undefined without one. */
export async function findOpenInvitation(
  ctx: Db & { clock: Clock },
  email: string,
): Promise<{ id: string } | undefined> {
  const row = await ctx.prisma.invitation.findFirst({
    where: openFor(ctx, email),
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  })
  return row ?? undefined
}

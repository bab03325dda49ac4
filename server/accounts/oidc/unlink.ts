import { seconds } from '../../kit/db/clock.ts'
import { AppError } from '../../kit/error.ts'
import type { UserCtx } from '../access.ts'
import { type Client, recordFactor } from '../sessions/events.ts'

export type IdentityRow = {
  id: string
  issuer: string
  /** Unix seconds. */
  linkedAt: number
}

/** The person's identities at the provider. */
export async function listIdentities({ prisma, user }: UserCtx): Promise<IdentityRow[]> {
  const rows = await prisma.account.findMany({
    where: { userId: user.id, providerId: { not: 'credential' } },
    orderBy: { createdAt: 'asc' },
  })
  return rows.map(({ id, providerId, createdAt }) => ({
    id,
    issuer: providerId,
    linkedAt: seconds(createdAt.getTime()),
  }))
}

/** Removes an identity of the person, and ends the sessions that it opened. Throws AppError if nothing else could sign in. */
export async function unlinkIdentity(ctx: UserCtx, { id, client }: { id: string; client: Client }): Promise<void> {
  const { prisma, user, config } = ctx
  const own = { userId: user.id }
  const [passkeys, others] = await Promise.all([
    prisma.passkey.count({ where: own }),
    prisma.account.count({
      where: {
        ...own,
        id: { not: id },
        providerId: { in: [config.oidc?.issuer ?? '', ...(config.passwords ? ['credential'] : [])] },
      },
    }),
  ])
  if (passkeys + others === 0) throw new AppError('last-way-in')
  const { count } = await prisma.account.deleteMany({ where: { ...own, id, providerId: { not: 'credential' } } })
  if (count > 0) await recordFactor(ctx, user, 'identity.unlink', client)
}

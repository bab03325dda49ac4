import type { Db } from '../../kit/db/transact.ts'

/**
 * Ends all sessions of a person except `keep`; returns how many. Used when the rights of a session change, so that a stolen
 * session id stops working.
 */
export async function endSessions({ prisma }: Db, userId: string, keep?: string): Promise<number> {
  const { count } = await prisma.session.deleteMany({
    where: { userId, ...(keep === undefined ? {} : { id: { not: keep } }) },
  })
  return count
}

/**
 * Ends everything but the password that lets someone into an account: passkeys, sessions, reset links and sign-ins that
 * wait for a code. `factor`: also the authenticator, because the person who set it up was not known to own the address.
 */
export async function endAccess({ prisma }: Db, userId: string, { factor }: { factor: boolean }): Promise<void> {
  await prisma.passkey.deleteMany({ where: { userId } })
  await prisma.verification.deleteMany({ where: { value: userId } })
  if (factor) {
    await prisma.twoFactor.deleteMany({ where: { userId } })
    await prisma.user.update({ where: { id: userId }, data: { twoFactorEnabled: false } })
  }
  await endSessions({ prisma }, userId)
}

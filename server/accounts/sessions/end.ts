import type { Db } from '../../kit/transact.ts'

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

import type { Db } from '../../kit/transact.ts'

/**
 * Ends a person's sessions everywhere, all but `keep`; returns how many. For changes of what a session can do: nobody
 * goes on with the id of before, who may be somebody else.
 */
export async function endSessions({ prisma }: Db, userId: string, keep?: string): Promise<number> {
  const { count } = await prisma.session.deleteMany({
    where: { userId, ...(keep === undefined ? {} : { id: { not: keep } }) },
  })
  return count
}

import { seconds } from '../../kit/db/clock.ts'
import type { UserCtx } from '../access.ts'

export type SessionRow = {
  id: string
  /** The User-Agent header; empty if there was none. */
  userAgent: string
  /** The session of this request. */
  current: boolean
  /** Unix seconds. */
  createdAt: number
  expiresAt: number
}

/** The person's sessions that are still valid, newest first. */
export async function listSessions({ prisma, clock, user, session }: UserCtx): Promise<SessionRow[]> {
  const rows = await prisma.session.findMany({
    where: { userId: user.id, expiresAt: { gt: new Date(clock.now()) } },
    orderBy: { createdAt: 'desc' },
    take: 200,
  })
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.userAgent ?? '',
    current: row.id === session.id,
    createdAt: seconds(row.createdAt.getTime()),
    expiresAt: seconds(row.expiresAt.getTime()),
  }))
}

import { seconds } from '../../kit/clock.ts'
import type { UserCtx } from '../access.ts'

export type SessionRow = {
  id: string
  /** The browser's own words; empty where it said nothing. */
  userAgent: string
  /** The one that asks. */
  current: boolean
  /** Unix seconds. */
  createdAt: number
  expiresAt: number
}

/** The person's sessions that still work, the newest first. */
export async function listSessions({ prisma, user, session }: UserCtx): Promise<SessionRow[]> {
  const rows = await prisma.session.findMany({
    where: { userId: user.id, expiresAt: { gt: new Date() } },
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

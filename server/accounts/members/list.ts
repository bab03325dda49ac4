import type { Role } from '../../contract/permissions.ts'
import { seconds } from '../../kit/db/clock.ts'
import { type Page, type PageInput, toPage } from '../../ledger/page.ts'
import type { MemberCtx } from '../access.ts'

export type MemberRow = {
  id: string
  userId: string
  name: string
  email: string
  role: Role
  twoFactorEnabled: boolean
  /** The caller. */
  self: boolean
  /** The only owner, who can be neither removed nor changed. */
  lastOwner: boolean
  /** When they last used the console, in Unix seconds, to a day; null if that is not known any more. */
  lastActiveAt: number | null
  /** They have never used the console; false if that is not known any more. */
  neverActive: boolean
}

const DAY_MS = 86_400_000

/** The tenant's members, in the order in which they joined. */
export async function listMembers(ctx: MemberCtx, input: PageInput): Promise<Page<MemberRow>> {
  const { cursor, limit } = input
  // older sign-ins are deleted
  const knownFrom = ctx.clock.now() - ctx.config.retention.activityDays * DAY_MS
  const [rows, owners] = await Promise.all([
    ctx.prisma.member.findMany({
      where: { tenantId: ctx.tenant.id, ...(cursor === undefined ? {} : { id: { gt: cursor } }) },
      include: {
        user: {
          select: {
            name: true,
            email: true,
            twoFactorEnabled: true,
            createdAt: true,
            sessions: { select: { updatedAt: true }, orderBy: { updatedAt: 'desc' }, take: 1 },
            events: { select: { createdAt: true }, orderBy: { createdAt: 'desc' }, take: 1 },
          },
        },
      },
      orderBy: { id: 'asc' },
      take: limit + 1,
    }),
    ctx.prisma.member.count({ where: { tenantId: ctx.tenant.id, role: 'owner' } }),
  ])
  return toPage(
    rows.map(({ id, userId, role, user }) => {
      const lastActiveAt = latest([user.sessions[0]?.updatedAt, user.events[0]?.createdAt])
      return {
        id,
        userId,
        role,
        name: user.name,
        email: user.email,
        twoFactorEnabled: user.twoFactorEnabled,
        self: userId === ctx.user.id,
        lastOwner: role === 'owner' && owners === 1,
        lastActiveAt,
        neverActive: lastActiveAt === null && user.createdAt.getTime() > knownFrom,
      }
    }),
    limit,
  )
}

const latest = (dates: (Date | undefined)[]): number | null => {
  const times = dates.flatMap((date) => (date ? [seconds(date.getTime())] : []))
  return times.length === 0 ? null : Math.max(...times)
}

export type InvitationRow = {
  id: string
  email: string
  role: Role
  inviter: string
  /** Unix seconds. */
  createdAt: number
  expiresAt: number
}

/** The tenant's invitations that were neither accepted nor revoked, newest first. Expired ones are deleted after some days. */
export async function listInvitations(ctx: MemberCtx, input: PageInput): Promise<Page<InvitationRow>> {
  const { cursor, limit } = input
  const rows = await ctx.prisma.invitation.findMany({
    where: {
      tenantId: ctx.tenant.id,
      acceptedAt: null,
      revokedAt: null,
      ...(cursor === undefined ? {} : { id: { lt: cursor } }),
    },
    include: { inviter: { select: { name: true } } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  return toPage(
    rows.map(({ id, email, role, inviter, createdAt, expiresAt }) => ({
      id,
      email,
      role,
      inviter: inviter.name,
      createdAt: seconds(createdAt.getTime()),
      expiresAt: seconds(expiresAt.getTime()),
    })),
    limit,
  )
}

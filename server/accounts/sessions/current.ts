import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../kit/context.ts'
import { authOf } from './auth.ts'
import { callAuth } from './call.ts'

/** A signed-in person. Their e-mail address is verified, because a session requires it. */
export type Person = Readonly<{ id: string; email: string; name: string; twoFactorEnabled: boolean }>

/**
 * `createdAt`: when the person authenticated. `mfa`: with two factors that the identity provider checked. `accountId`: with
 * which identity at the provider; null with a password or passkey.
 */
export type CurrentSession = Readonly<{ id: string; createdAt: Date; mfa: boolean; accountId: string | null }>

/** The person who sent a request, by its cookie; undefined without a session. Reads the database every time, so that a revoked session ends immediately. */
export async function currentSession(
  ctx: Context,
  headers: IncomingHttpHeaders,
): Promise<{ user: Person; session: CurrentSession } | undefined> {
  if (headers.cookie === undefined) return undefined
  const { api } = await authOf(ctx)
  const { cookie } = headers
  const found = await callAuth(() => api.getSession({ headers: new Headers({ cookie }) }))
  if (!found?.user.emailVerified) return undefined
  const { user, session } = found
  const origin = await ofValid(ctx, session.id)
  if (!origin) return undefined
  return {
    user: { id: user.id, email: user.email, name: user.name, twoFactorEnabled: user.twoFactorEnabled === true },
    session: { id: session.id, createdAt: session.createdAt, ...origin },
  }
}

type Origin = Pick<CurrentSession, 'mfa' | 'accountId'>

/**
 * How a session was opened; undefined if it ended: 30 days after the person authenticated, or 7 days after the last request; for staff 12 hours
 * and 30 minutes. Notes the time of this request, at most once a minute. All by the database's clock.
 */
async function ofValid({ prisma }: Context, id: string): Promise<Origin | undefined> {
  const [row] = await prisma.$queryRaw<(Origin & { over: boolean; stale: boolean })[]>`
    select s.created_at < now() - case when u.staff_level is null then interval '30 days' else interval '12 hours' end
        or s.updated_at < now() - case when u.staff_level is null then interval '7 days' else interval '30 minutes' end
        as over,
      s.updated_at < now() - interval '1 minute' as stale, s.mfa, s.account_id::text as "accountId"
    from session s join "user" u on u.id = s.user_id where s.id = ${id}::uuid`
  if (!row) return undefined
  if (row.over) await prisma.session.deleteMany({ where: { id } })
  else if (row.stale) await prisma.$executeRaw`update session set updated_at = now() where id = ${id}::uuid`
  return row.over ? undefined : { mfa: row.mfa, accountId: row.accountId }
}

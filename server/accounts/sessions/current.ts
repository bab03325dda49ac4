import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../kit/context.ts'
import { authOf } from './auth.ts'

/** A signed-in person. Their e-mail address is verified, because a session requires it. */
export type Person = Readonly<{ id: string; email: string; name: string; twoFactorEnabled: boolean }>

/** `createdAt`: when the person authenticated. */
export type CurrentSession = Readonly<{ id: string; createdAt: Date }>

/** The person who sent a request, by its cookie; undefined without a session. Reads the database every time, so that a revoked session ends immediately. */
export async function currentSession(
  ctx: Context,
  headers: IncomingHttpHeaders,
): Promise<{ user: Person; session: CurrentSession } | undefined> {
  if (headers.cookie === undefined) return undefined
  const { api } = await authOf(ctx)
  const found = await api.getSession({ headers: new Headers({ cookie: headers.cookie }) })
  if (!found?.user.emailVerified) return undefined
  const { user, session } = found
  return {
    user: { id: user.id, email: user.email, name: user.name, twoFactorEnabled: user.twoFactorEnabled === true },
    session: { id: session.id, createdAt: session.createdAt },
  }
}

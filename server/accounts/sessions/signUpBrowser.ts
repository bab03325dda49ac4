import type { createAuthMiddleware } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { verifiedInCall } from './call.ts'

type Endpoint = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Ends the session that the browser had before the one with this token. */
export async function endFormerSession(
  { context, getSignedCookie }: Pick<Endpoint, 'context' | 'getSignedCookie'>,
  token: string,
): Promise<void> {
  const former = await getSignedCookie(context.authCookies.sessionToken.name, context.secret)
  if (former && former !== token) await context.internalAdapter.deleteSession(former)
}

/** The cookie with the id of the account that this browser signed up. */
const cookieOf = ({ context }: Endpoint, maxAge: number) => context.createAuthCookie('sign_up', { maxAge })

/**
 * Remembers in the browser which account it signed up. For an address that has an account, better-auth answers with an id
 * that belongs to no one, so the cookie says no more than the answer.
 */
export async function rememberSignUp(endpoint: Endpoint, seconds: number): Promise<void> {
  const { user } = Object(endpoint.context.returned) as { user?: { id: string } }
  if (!user) return
  const { name, attributes } = cookieOf(endpoint, seconds)
  await endpoint.setSignedCookie(name, user.id, endpoint.context.secret, attributes)
}

/**
 * Signs the person in whose address was just confirmed, if this browser signed up the account. The link alone is not enough:
 * its account may have been made by another person, whose password still works, or the link may be another person's, who wants
 * the reader to work in their account.
 */
export async function signInVerified(endpoint: Endpoint): Promise<void> {
  const userId = verifiedInCall()
  const { secret, internalAdapter } = endpoint.context
  const { name, attributes } = cookieOf(endpoint, 0)
  if (userId === undefined || (await endpoint.getSignedCookie(name, secret)) !== userId) return
  const user = await internalAdapter.findUserById(userId)
  const session = user && (await internalAdapter.createSession(userId))
  if (!session) return
  await endFormerSession(endpoint, session.token)
  await setSessionCookie(endpoint, { session, user })
  endpoint.setCookie(name, '', attributes)
}

import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SignInStep } from '../../contract/signIn.ts'
import { AppError } from '../../kit/error.ts'
import { currentSession } from '../sessions/current.ts'
import { type Client, recordFactor, recordSignIn } from '../sessions/events.ts'
import { openSession } from '../sessions/open.ts'
import { isFresh, refusalResponse, refuseCode } from '../sessions/proof.ts'
import { applyLevel, findLinked, findOrSignUp, type Identity, identityOf, link } from './identity.ts'
import { putOnce, readOnce, takeOnce } from './oneTime.ts'
import { authorizationUrl, type OidcContext, redeemCode, type Started } from './provider.ts'

type Request = { headers: IncomingHttpHeaders; ip: string }

/** `next`: where to go after signing in. */
type Start = Started & { next: string | undefined }
/** A sign-in that the provider has confirmed, and that waits for the person: for a code, or for the proof of an account to link. */
type Pending = { step: SignInStep; userId: string; identity: Identity; next: string | undefined }

/** Signed in: the session's cookie. Otherwise the key of what waits, and what it waits for. */
export type Outcome = { cookie: string; next: string | undefined } | { key: string; step: SignInStep; email: string }

const random = (): string => randomBytes(32).toString('base64url')

const clientOf = ({ headers, ip }: Request): Client => ({ address: ip, userAgent: headers['user-agent'] })

/** Starts a sign-in. `key`: for a cookie of the browser, which has to come back with the provider's answer. Throws AppError. */
export async function startSignIn(
  ctx: OidcContext,
  next: string | undefined,
): Promise<{ key: string; location: string }> {
  const key = random()
  const started: Start = { nonce: random(), verifier: random(), next }
  const location = await authorizationUrl(ctx, { ...started, state: key })
  await putOnce(ctx, 'started', key, started)
  return { key, location }
}

/** What the provider sends the browser back with. */
export type Callback = { [Name in 'state' | 'code' | 'iss']?: string | undefined }

/** Continues a sign-in with the provider's answer, once. `key`: of the browser's cookie. Throws AppError. */
export async function continueSignIn(
  ctx: OidcContext,
  { key, callback, request }: { key: string | undefined; callback: Callback; request: Request },
): Promise<Outcome> {
  const started = key !== undefined && key === callback.state ? await takeOnce<Start>(ctx, 'started', key) : undefined
  if (!started) throw new AppError('sign-in-expired')
  if (callback.code === undefined) throw new AppError('provider-refused')
  const claims = await redeemCode(ctx, started, { code: callback.code, iss: callback.iss })
  const identity = identityOf(ctx, claims)
  const found = (await findLinked(ctx, claims.sub)) ? undefined : await findOrSignUp(ctx, claims)
  const { next } = started
  if (found) return wait(ctx, { step: 'link', userId: found.existing.id, identity, next }, found.existing.email)
  const linked = await findLinked(ctx, claims.sub)
  if (!linked) throw new AppError('sign-in-expired')
  if (linked.user.twoFactorEnabled && !identity.mfa)
    return wait(ctx, { step: 'code', userId: linked.user.id, identity, next }, linked.user.email)
  return complete(ctx, { userId: linked.user.id, accountId: linked.id, identity, next, request })
}

async function wait(ctx: OidcContext, pending: Pending, email: string): Promise<Outcome> {
  const key = random()
  await putOnce(ctx, 'pending', key, pending)
  return { key, step: pending.step, email }
}

async function complete(
  ctx: OidcContext,
  {
    userId,
    accountId,
    identity: { sid, mfa, level },
    next,
    request,
  }: { userId: string; accountId: string; identity: Identity; next: string | undefined; request: Request },
): Promise<{ cookie: string; next: string | undefined }> {
  const former = (await currentSession(ctx, request.headers))?.session.id
  const client = clientOf(request)
  await applyLevel(ctx, userId, level)
  const cookie = await openSession(ctx, userId, { origin: { accountId, sid, mfa }, client, former })
  await recordSignIn(ctx, { id: userId }, 'oidc', client)
  return { cookie, next }
}

/**
 * Finishes a sign-in that waits: with a code of the authenticator, or in a session that proves the account to link. Returns the
 * refusal of a wrong code. Throws AppError.
 */
export async function finishSignIn(
  ctx: OidcContext,
  { key, code, request }: { key: string | undefined; code: unknown; request: Request },
): Promise<Response | { cookie: string; next: string | undefined }> {
  const pending = key === undefined ? undefined : await readOnce<Pending>(ctx, 'pending', key)
  if (key === undefined || !pending) throw new AppError('sign-in-expired')
  const { step, userId, identity, next } = pending
  const client = clientOf(request)
  let { mfa } = identity
  if (step === 'link') {
    const current = await currentSession(ctx, request.headers)
    const proves = current?.user.id === userId && current.session.accountId === null && isFresh(ctx, current.session)
    if (!proves) throw new AppError('link-unproved')
  } else {
    const user = await ctx.prisma.user.findUniqueOrThrow({ where: { id: userId } })
    const refused = await refuseCode(ctx, user, code, client)
    if (refused) return refusalResponse(refused)
    mfa ||= user.twoFactorEnabled
  }
  if (!(await takeOnce(ctx, 'pending', key))) throw new AppError('sign-in-expired')
  const linked = step === 'link' ? await link(ctx, userId, identity.sub) : await findLinked(ctx, identity.sub)
  // the link was removed while the sign-in waited
  if (linked?.user.id !== userId) throw new AppError('sign-in-expired')
  if (step === 'link') await recordFactor(ctx, linked.user, 'identity.link', client)
  return complete(ctx, { userId, accountId: linked.id, identity: { ...identity, mfa }, next, request })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADDRESS_HEADER, authOf, LOCK_SECONDS } from '../accounts/sessions/auth.ts'
import { currentSession } from '../accounts/sessions/current.ts'
import { isKnownBrowser, knownBrowserCookie } from '../accounts/sessions/knownBrowser.ts'
import { guessesOfSession, isMailing, PASSKEY_OPTIONS, SIGN_IN, takeAttempt } from '../accounts/sessions/limits.ts'
import { refuseWithoutProof } from '../accounts/sessions/proof.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import { refuseForeign } from './admit.ts'
import { refuseForeignHost } from './host.ts'

/**
 * The paths of better-auth that are exposed below /auth, so that a new version does not add any. Sessions are read and
 * ended over tRPC, which does not return their tokens to the page.
 */
const GET = ['/verify-email', '/passkey/generate-authenticate-options', '/passkey/list-user-passkeys']
const POST = [
  '/sign-up/email',
  SIGN_IN,
  '/sign-out',
  '/send-verification-email',
  '/request-password-reset',
  '/reset-password',
  '/change-password',
  '/update-user',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
  PASSKEY_OPTIONS,
  '/passkey/verify-registration',
  '/passkey/verify-authentication',
  '/passkey/update-passkey',
  '/passkey/delete-passkey',
]

/** The request headers that are passed to better-auth. */
const PASSED = ['cookie', 'content-type', 'origin', 'user-agent'] as const

/** The cookie of a device that better-auth would not ask for the second factor. */
const TRUSTED_DEVICE = /trust_device=/

const BODY_LIMIT = 64 * 1024

/** Entry point /auth: sign-up, sign-in and sign-out. Bodies are passed to better-auth unchanged. */
export function mountAuth(app: FastifyInstance, ctx: Context): void {
  void app.register(
    async (door) => {
      door.removeAllContentTypeParsers()
      door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
        done(null, body),
      )
      door.addHook('onRequest', refuseForeignHost(ctx.config))
      door.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        refuseForeign(ctx.config, request)
      })
      // before the first request, so that loading does not delay a verification
      door.addHook('onReady', async () => void (await authOf(ctx)))
      for (const path of GET) door.get(path, (request, reply) => serve(ctx, path, request, reply))
      for (const path of POST) door.post(path, (request, reply) => serve(ctx, path, request, reply))
    },
    { prefix: '/auth' },
  )
}

async function serve(ctx: Context, path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // the same for every address, before any look-up
  if (!ctx.mail.ready && isMailing(path)) throw new AppError('unavailable')
  const body = bodyOf(request)
  const { cookie } = request.headers
  const email = emailIn(body)
  const guesses = guessesOfSession(path)
  const giveBack = await takeAttempt(ctx, {
    path,
    address: request.ip,
    email,
    // by whom the cookie is, as better-auth reads it: its text can be varied without end
    userId: guesses ? (await currentSession(ctx, request.headers))?.user.id : undefined,
    known: email !== undefined && isKnownBrowser(ctx, cookie, email),
  })
  // ends a session that is over, which better-auth would accept
  if (!guesses) await currentSession(ctx, request.headers)
  const response = await answer(ctx, path, request, body).catch(async (error: unknown) => {
    await giveBack()
    throw error
  })
  // an internal error does not count as a failed attempt
  if (response.ok || response.status >= 500) await giveBack()
  void reply.code(response.status)
  const type = response.headers.get('content-type')
  if (type !== null) void reply.header('content-type', type)
  const cookies = response.headers.getSetCookie()
  if (response.ok && path === SIGN_IN && email !== undefined) cookies.push(knownBrowserCookie(ctx, email))
  if (cookies.length > 0) void reply.header('set-cookie', cookies)
  // better-auth reports that a second factor is locked, but not until when
  if (response.status === 429)
    void reply.header('retry-after', response.headers.get('retry-after') ?? String(LOCK_SECONDS))
  return reply.send(await response.text())
}

/** better-auth's response; for the options of a new passkey only after the proof, which better-auth does not ask for. */
async function answer(ctx: Context, path: string, request: FastifyRequest, body: Body): Promise<Response> {
  const { handler } = await authOf(ctx)
  if (path !== PASSKEY_OPTIONS) return handler(toRequest(ctx, request, body))
  return (
    (await refuseWithoutProof(ctx, request.headers, body?.json)) ??
    (await handler(new Request(toRequest(ctx, request, undefined), { method: 'GET' })))
  )
}

type Body = { text: string; json: unknown } | undefined

/** The body to pass on. What this parser rejects must not reach better-auth, because limits depend on the body's fields. */
function bodyOf({ body }: FastifyRequest): Body {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined
  const text = body.toString('utf8')
  try {
    return { text, json: JSON.parse(text) }
  } catch (cause) {
    throw new AppError('bad-request', { cause })
  }
}

/** The e-mail address in the body, in its stored form. */
function emailIn(body: Body): string | undefined {
  const { email } = Object(body?.json) as { email?: unknown }
  return typeof email === 'string' ? email.toLowerCase() : undefined
}

function toRequest({ config }: Context, request: FastifyRequest, body: Body): Request {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip })
  for (const name of PASSED) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  // better-auth would accept the cookie of a trusted device instead of the second factor
  const cookie = headers
    .get('cookie')
    ?.split('; ')
    .filter((pair) => !TRUSTED_DEVICE.test(pair))
  if (cookie) headers.set('cookie', cookie.join('; '))
  // without a body there is no JSON to read
  if (!body) headers.delete('content-type')
  return new Request(new URL(request.url, config.publicUrl), {
    method: request.method,
    headers,
    body: body?.text ?? null,
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isInvited } from '../accounts/members/open.ts'
import { authOf } from '../accounts/sessions/auth.ts'
import { callAuth } from '../accounts/sessions/call.ts'
import { currentSession } from '../accounts/sessions/current.ts'
import { isKnownBrowser, knownBrowserCookie } from '../accounts/sessions/knownBrowser.ts'
import {
  guessesOfSession,
  isMailing,
  PASSKEY_OPTIONS,
  PROVED,
  SIGN_IN,
  SIGN_UP,
  takeAttempt,
} from '../accounts/sessions/limits.ts'
import { refuseWithoutProof } from '../accounts/sessions/proof.ts'
import { ADDRESS_HEADER, LOCK_SECONDS } from '../accounts/sessions/settings.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import { refuseForeign } from './admit.ts'
import { checkFields, OPEN, type OpenPath } from './authBodies.ts'
import { forPerson } from './authErrors.ts'
import { refuseForeignHost } from './host.ts'

/** The request headers that are passed to better-auth. */
const PASSED = ['cookie', 'origin', 'user-agent'] as const

/** What is closed without passwords. */
const OF_PASSWORDS: ReadonlySet<string> = new Set([
  SIGN_UP,
  SIGN_IN,
  '/send-verification-email',
  '/request-password-reset',
  '/reset-password',
  '/change-password',
])

/** The cookie of a device that better-auth would not ask for the second factor. */
const TRUSTED_DEVICE = /trust_device=/

const BODY_LIMIT = 64 * 1024

/** Entry point /auth: sign-up, sign-in and sign-out. better-auth gets the fields of authBodies.ts and nothing else. */
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
      for (const route of Object.keys(OPEN) as OpenPath[]) {
        const [method, url] = route.split(' ') as ['GET' | 'POST', string]
        door.route({
          method,
          url,
          // GET has effects here, which a program that checks links must not cause
          exposeHeadRoute: false,
          handler: (request, reply) => serve(ctx, { route, url }, request, reply),
        })
      }
    },
    { prefix: '/auth' },
  )
}

type Open = { route: OpenPath; url: string }

async function serve(
  ctx: Context,
  { route, url: path }: Open,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const checked = checkFields(route, request.method === 'GET' ? request.query : bodyOf(request))
  if ('wrong' in checked)
    return reply.code(400).send({ error: 'bad-request', ...(checked.wrong && { field: checked.wrong }) })
  if (!ctx.config.passwords && OF_PASSWORDS.has(path)) return reply.code(403).send(forPerson({ code: 'PASSWORDS_OFF' }))
  const { fields } = checked
  // the same for every address, before any look-up
  if (!ctx.mail.ready && isMailing(path)) throw new AppError('unavailable')
  const { cookie } = request.headers
  const email = typeof fields['email'] === 'string' ? fields['email'] : undefined
  const guesses = guessesOfSession(path)
  const settle = await takeAttempt(ctx, {
    path,
    address: request.ip,
    email,
    // the cookie's session as better-auth reads it: the same session can be written as many different texts
    userId: guesses ? (await currentSession(ctx, request.headers))?.user.id : undefined,
    known: email !== undefined && isKnownBrowser(ctx, cookie, email),
  })
  // ends a session that is over, which better-auth would accept
  if (!guesses) await currentSession(ctx, request.headers)
  const response = await answer(ctx, path, request, fields).catch(async (error: unknown) => {
    await settle('failed')
    throw error
  })
  await settle(response.ok ? 'done' : response.status >= 500 ? 'failed' : 'refused')
  void reply.code(response.status)
  const type = response.headers.get('content-type')
  if (type !== null) void reply.header('content-type', type)
  const cookies = response.headers.getSetCookie()
  if (response.ok && path === SIGN_IN && email !== undefined) cookies.push(knownBrowserCookie(ctx, email))
  if (cookies.length > 0) void reply.header('set-cookie', cookies)
  // better-auth reports that a second factor is locked, but not until when
  if (response.status === 429)
    void reply.header('retry-after', response.headers.get('retry-after') ?? String(LOCK_SECONDS))
  const body = await response.text()
  if (!type?.startsWith('application/json') || body === '') return reply.send(body)
  const parsed: unknown = JSON.parse(body, withoutToken)
  return reply.send(JSON.stringify(response.ok ? parsed : forPerson(Object(parsed) as object)))
}

/** Leaves out the session's token, which better-auth adds to some answers: scripts of the page cannot read the cookie either. */
const withoutToken = (name: string, value: unknown) => (name === 'token' ? undefined : value)

/** better-auth's response; for a change of how the person signs in only after the proof, of which better-auth asks less. */
async function answer(
  ctx: Context,
  path: string,
  request: FastifyRequest,
  fields: Record<string, unknown>,
): Promise<Response> {
  const { invitation, ...passed } = fields
  const refused = PROVED.has(path)
    ? await refuseWithoutProof(ctx, request, fields)
    : path === SIGN_UP
      ? await refuseUninvited(ctx, String(fields['email']), invitation)
      : undefined
  if (refused) return refused
  const { handler } = await authOf(ctx)
  const sent =
    path === PASSKEY_OPTIONS
      ? toRequest(ctx, path, request, 'GET', {})
      : toRequest(ctx, path, request, request.method, PROVED.has(path) ? { ...passed, code: undefined } : passed)
  return callAuth(() => handler(sent))
}

/** Where sign-up is closed, it takes an open invitation to the address. The answer is the same for all other people. */
async function refuseUninvited(ctx: Context, email: string, invitation: unknown): Promise<Response | undefined> {
  if (ctx.config.signUp || (typeof invitation === 'string' && (await isInvited(ctx, invitation, email))))
    return undefined
  return Response.json({ code: 'INVITATION_REQUIRED' }, { status: 403 })
}

/** The body as JSON; an empty one has no fields. */
function bodyOf({ body }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return {}
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw new AppError('bad-request', { cause })
  }
}

/** The request for better-auth. It is written from the checked fields, so that nothing else of the original gets there. */
function toRequest(
  { config }: Context,
  path: string,
  { ip, headers: sent }: FastifyRequest,
  method: string,
  fields: Record<string, unknown>,
): Request {
  const headers = new Headers({ [ADDRESS_HEADER]: ip })
  for (const name of PASSED) {
    const value = sent[name]
    if (value !== undefined) headers.set(name, value)
  }
  // better-auth would accept the cookie of a trusted device instead of the second factor
  const cookie = headers
    .get('cookie')
    ?.split('; ')
    .filter((pair) => !TRUSTED_DEVICE.test(pair))
  if (cookie) headers.set('cookie', cookie.join('; '))
  const url = new URL(`/auth${path}`, config.publicUrl)
  if (method === 'POST') {
    headers.set('content-type', 'application/json')
    return new Request(url, { method, headers, body: JSON.stringify(fields) })
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value))
  return new Request(url, { method, headers })
}

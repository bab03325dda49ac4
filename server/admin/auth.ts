import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADDRESS_HEADER, authOf } from '../accounts/sessions/auth.ts'
import type { Context } from '../kit/context.ts'
import { Refusal } from '../kit/refusal.ts'
import { refuseForeign } from './guard.ts'

/**
 * The paths of better-auth that are open, below /auth: a new version opens nothing by itself. Sessions are read and
 * ended over tRPC, which does not hand their tokens to the page.
 */
const GET = [
  '/verify-email',
  '/passkey/generate-register-options',
  '/passkey/generate-authenticate-options',
  '/passkey/list-user-passkeys',
]
const POST = [
  '/sign-up/email',
  '/sign-in/email',
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
  '/passkey/verify-registration',
  '/passkey/verify-authentication',
  '/passkey/update-passkey',
  '/passkey/delete-passkey',
]

/** Nothing of these can go on without a mail. */
const MAILING = new Set(['/auth/sign-up/email', '/auth/send-verification-email', '/auth/request-password-reset'])

/** Of a request's headers, what better-auth gets to see. */
const PASSED = ['cookie', 'content-type', 'origin', 'user-agent'] as const

const BODY_LIMIT = 64 * 1024

/** DOOR: signing up, in and out, under /auth. Bodies go to better-auth as they came. */
export function mountAuth(app: FastifyInstance, ctx: Context): void {
  void app.register(
    async (door) => {
      door.removeAllContentTypeParsers()
      door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
        done(null, body),
      )
      door.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        refuseForeign(ctx.config, request)
      })
      // before the first request, so that loading it keeps no verification waiting
      door.addHook('onReady', async () => void (await authOf(ctx)))
      for (const path of GET) door.get(path, (request, reply) => serve(ctx, request, reply))
      for (const path of POST) door.post(path, (request, reply) => serve(ctx, request, reply))
    },
    { prefix: '/auth' },
  )
}

async function serve(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // said of every address alike, before anything is looked up
  if (!ctx.mail.ready && MAILING.has(request.routeOptions.url ?? '')) throw new Refusal('unavailable')
  const { handler } = await authOf(ctx)
  const response = await handler(toRequest(ctx, request))
  void reply.code(response.status)
  const type = response.headers.get('content-type')
  if (type !== null) void reply.header('content-type', type)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) void reply.header('set-cookie', cookies)
  const wait = response.headers.get('x-retry-after')
  if (wait !== null) void reply.header('retry-after', wait)
  return reply.send(await response.text())
}

function toRequest({ config }: Context, request: FastifyRequest): Request {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip })
  for (const name of PASSED) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body.toString('utf8') : null
  // without a body there is no JSON to read
  if (body === null) headers.delete('content-type')
  return new Request(new URL(request.url, config.publicUrl), { method: request.method, headers, body })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { admitUser } from '../accounts/access.ts'
import { endByLogoutToken } from '../accounts/oidc/logout.ts'
import type { OidcContext } from '../accounts/oidc/provider.ts'
import { continueSignIn, finishSignIn, startSignIn } from '../accounts/oidc/signIn.ts'
import { unlinkIdentity } from '../accounts/oidc/unlink.ts'
import { takeAttempt } from '../accounts/sessions/limits.ts'
import { refuseWithoutProof } from '../accounts/sessions/proof.ts'
import { signInByLink } from '../accounts/sessions/signInByLink.ts'
import { CONSOLE_PATHS } from '../contract/consolePaths.ts'
import { isReason } from '../contract/reasons.ts'
import { SIGN_IN_REFUSALS } from '../contract/signIn.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import { refuseForeign } from './admit.ts'
import { forPerson } from './authErrors.ts'
import { refuseForeignHost } from './host.ts'

const BODY_LIMIT = 16 * 1024
const COOKIE_SECONDS = 600

const text = (most: number) => z.string().min(1).max(most)
const CALLBACK = z.object({
  state: text(128).optional(),
  code: text(4096).optional(),
  iss: text(512).optional(),
})
const FINISH = z.strictObject({ code: text(64).optional() })
const LINK = FINISH.extend({ token: text(512) })
const UNLINK = FINISH.extend({ id: z.uuid(), password: text(256).optional() })
const LOGOUT = z.object({ logout_token: text(8192) })

const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && isReason(error.code) && error.code in SIGN_IN_REFUSALS

/** Entry point /auth/oidc: signing in with the identity provider, and its logout. Without a provider there is none. */
export function mountOidc(app: FastifyInstance, base: Context): void {
  if (!base.config.oidc) return
  const ctx = base as OidcContext
  const { publicUrl } = ctx.config
  const secure = publicUrl.startsWith('https:')
  const name = `${secure ? '__Host-' : ''}tollgate.oidc`

  /** The cookie that ties a sign-in to its browser. */
  const cookieOf = (key: string, maxAge = COOKIE_SECONDS) =>
    `${name}=${key}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const ended = cookieOf('', 0)
  const keyOf = ({ headers }: FastifyRequest) =>
    headers.cookie
      ?.split('; ')
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  const ownPath = (next: unknown): string | undefined =>
    typeof next === 'string' && next.startsWith('/') && URL.canParse(next, publicUrl)
      ? new URL(next, publicUrl).origin === new URL(publicUrl).origin
        ? next
        : undefined
      : undefined
  const toPage = (reply: FastifyReply, facts: Record<string, string>) =>
    reply.redirect(`${CONSOLE_PATHS.singleSignOn}#${new URLSearchParams(facts).toString()}`)

  /** Counts the request by its path, and uncounts it unless it was refused. */
  async function counted<Out>(
    path: string,
    { ip }: FastifyRequest,
    userId: string | undefined,
    work: () => Promise<Out>,
  ) {
    const settle = await takeAttempt(ctx, { path, address: ip, email: undefined, userId, known: false })
    const out = await work()
    await settle(out instanceof Response ? 'refused' : 'done')
    return out
  }
  /** Redirects to the page that says why, if the sign-in is refused. */
  const orPage = async (reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> => {
    try {
      return await work()
    } catch (error) {
      if (!isRefusal(error)) throw error
      return toPage(reply, { error: error.code })
    }
  }
  /** Answers a call of the page, with the reason and its sentence if it is refused. */
  const orRefusal = async (
    reply: FastifyReply,
    work: () => Promise<FastifyReply | Response>,
  ): Promise<FastifyReply> => {
    try {
      const answer = await work()
      if (!(answer instanceof Response)) return answer
      for (const [header, value] of answer.headers) void reply.header(header, value)
      return reply.code(answer.status).send(forPerson((await answer.json()) as object))
    } catch (error) {
      if (!isRefusal(error)) throw error
      return reply.code(403).send({ code: error.code, message: error.message })
    }
  }
  const bodyOf = <T>(schema: z.ZodType<T>, { body }: FastifyRequest): T => {
    const { data, success } = schema.safeParse(body)
    if (!success) throw new AppError('bad-request')
    return data
  }

  void app.register(
    async (door) => {
      door.removeAllContentTypeParsers()
      const parse =
        (read: (body: string) => unknown) =>
        (_: FastifyRequest, body: string, done: (e: Error | null, v?: unknown) => void) => {
          try {
            done(null, read(body))
          } catch (cause) {
            done(new AppError('bad-request', { cause }))
          }
        }
      const options = { parseAs: 'string', bodyLimit: BODY_LIMIT } as const
      door.addContentTypeParser(
        'application/json',
        options,
        parse((body) => (body === '' ? {} : JSON.parse(body))),
      )
      door.addContentTypeParser(
        'application/x-www-form-urlencoded',
        options,
        parse((body) => Object.fromEntries(new URLSearchParams(body))),
      )
      door.addHook('onRequest', refuseForeignHost(ctx.config))
      door.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        // the provider itself sends logout tokens, which are signed
        if (request.routeOptions.url !== '/auth/oidc/logout') refuseForeign(ctx.config, request)
      })
      const quietly = { exposeHeadRoute: false }
      door.get('/start', quietly, (request, reply) =>
        orPage(reply, async () => {
          const next = ownPath(Object(request.query).next)
          const { key, location } = await counted('/oidc/start', request, undefined, () => startSignIn(ctx, next))
          return reply.header('set-cookie', cookieOf(key)).redirect(location)
        }),
      )
      door.get('/callback', quietly, (request, reply) =>
        orPage(reply, async () => {
          const { data: callback = {} } = CALLBACK.safeParse(request.query)
          const input = { key: keyOf(request), callback, request }
          const outcome = await counted('/oidc/callback', request, undefined, () => continueSignIn(ctx, input))
          if ('cookie' in outcome)
            return reply.header('set-cookie', [outcome.cookie, ended]).redirect(outcome.next ?? CONSOLE_PATHS.start)
          const { key, step, email } = outcome
          return toPage(reply.header('set-cookie', cookieOf(key)), { step, email })
        }),
      )
      door.post('/finish', (request, reply) =>
        orRefusal(reply, async () => {
          const input = { key: keyOf(request), code: bodyOf(FINISH, request).code, request }
          const done = await counted('/oidc/finish', request, undefined, () => finishSignIn(ctx, input))
          if (done instanceof Response) return done
          return reply.header('set-cookie', [done.cookie, ended]).send({ next: done.next ?? CONSOLE_PATHS.start })
        }),
      )
      door.post('/link', (request, reply) =>
        orRefusal(reply, async () => {
          if (ctx.config.passwords) throw new AppError('not-found')
          const { token, code } = bodyOf(LINK, request)
          const input = { token, code, client: { address: request.ip, userAgent: request.headers['user-agent'] } }
          const done = await counted('/oidc/link', request, undefined, () => signInByLink(ctx, input))
          return done instanceof Response ? done : reply.header('set-cookie', done.cookie).send({})
        }),
      )
      door.post('/unlink', (request, reply) =>
        orRefusal(reply, async () => {
          const user = await admitUser(ctx, request.headers)
          if (!user) throw new AppError('unauthorized')
          const { id, ...proof } = bodyOf(UNLINK, request)
          const client = { address: request.ip, userAgent: request.headers['user-agent'] }
          const refused = await counted('/oidc/unlink', request, user.user.id, () =>
            refuseWithoutProof(ctx, request, proof),
          )
          if (refused) return refused
          await unlinkIdentity(user, { id, client })
          return reply.send({})
        }),
      )
      door.post('/logout', async (request, reply) => {
        try {
          const { logout_token } = bodyOf(LOGOUT, request)
          await counted('/oidc/logout', request, undefined, () => endByLogoutToken(ctx, logout_token))
          return await reply.send({})
        } catch (error) {
          if (!isRefusal(error) && !(error instanceof AppError && error.code === 'bad-request')) throw error
          return reply.code(400).send({ error: 'invalid_request' })
        }
      })
    },
    { prefix: '/auth/oidc' },
  )
}

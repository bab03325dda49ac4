import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearer } from '../accounts/access.ts'
import { findKey, requireScope } from '../accounts/keys/admit.ts'
import type { KeyFacts } from '../accounts/keys/facts.ts'
import { describe, logError, retryAfterOf, toTrpcError } from '../admin/errors.ts'
import { appRouter } from '../admin/index.ts'
import type { AdminCtx } from '../admin/trpc.ts'
import { contentOf, once, sendContent } from '../api/content.ts'
import { parseJson } from '../api/json.ts'
import { headerValues, isJson } from '../api/mediaType.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import { ClientAddress } from '../kit/http/client.ts'
import { takeAll } from '../kit/limits/takeAll.ts'
import type { Facts } from '../ledger/overview.ts'
import { refuseOtherSites } from './bound.ts'
import { describeManage } from './describe.ts'
import { rename, toCamel, toSnake } from './names.ts'
import { fromText, OPERATIONS, type Operation } from './operations.ts'
import { callOnce } from './repeat.ts'

const BODY_LIMIT = 64 * 1024

const PER_KEY = { name: 'api-key', points: 20, duration: 1 }
const PER_TENANT = { name: 'api-tenant', points: 60, duration: 1 }

type Input = Record<string, unknown>

const CODES = {
  400: 'bad-request',
  404: 'not-found',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  422: 'input-invalid',
} as const

/** A request that is refused before a procedure reads it: the status, the code, a sentence, and the field. */
class BadCall extends Error {
  readonly status: keyof typeof CODES
  readonly field: string | undefined
  constructor(status: BadCall['status'], message: string, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

/** The JSON object of the body. Throws BadCall. */
function bodyOf(request: FastifyRequest): object {
  if (!(request.body instanceof Buffer) || request.body.length === 0) return {}
  if (!isJson(request.raw)) throw new BadCall(415, 'Send the body as “Content-Type: application/json”.')
  try {
    const body = parseJson(request.body)
    if (body !== null && typeof body === 'object' && !Array.isArray(body)) return body
  } catch {
    // refused below
  }
  throw new BadCall(400, 'The body must be one JSON object of valid UTF-8, without a name twice.')
}

/** The key of the request, which takes a call of its limits. Throws AppError. */
async function admit(ctx: Context, request: FastifyRequest): Promise<KeyFacts> {
  const headers = headerValues(request.raw, 'authorization')
  const text = headers.length === 1 ? bearer(headers[0] ?? '') : undefined
  const caller = { address: new ClientAddress(request.ip), userAgent: request.headers['user-agent'] }
  const key = text === undefined ? undefined : await findKey(ctx, text, caller)
  if (!key) throw new AppError('unauthorized')
  const { retryAfter } = await takeAll(ctx, [
    [PER_KEY, key.id],
    [PER_TENANT, key.tenant.id],
  ])
  if (retryAfter > 0) throw new AppError('calls-too-fast', { wait: retryAfter, retryAfter })
  return key
}

/** What the path, the query and the body give, by the procedure's names. Throws BadCall. */
function inputOf({ fields }: Operation, request: FastifyRequest): Input {
  const body = bodyOf(request)
  const texts = { ...(request.query as Record<string, string>), ...(request.params as Record<string, string>) }
  const given: Input = { ...body }
  for (const [name, text] of Object.entries(texts)) {
    if (Object.hasOwn(body, name))
      throw new BadCall(422, `“${name}” is in the address and in the body. Send it once.`, name)
    if (Array.isArray(text)) throw new BadCall(422, `“${name}” is in the address more than once. Send it once.`, name)
    given[name] = fromText(fields[toCamel(name)], text)
  }
  const known = new Set(Object.keys(fields).map(toSnake))
  for (const name of Object.keys(given))
    if (!known.has(name)) throw new BadCall(422, `This call has no field “${name}”. Check its spelling.`, name)
  return rename(given, toCamel) as Input
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a POST; undefined without one. Throws BadCall. */
function repetitionOf({ method }: Operation, request: FastifyRequest): string | undefined {
  if (method !== 'POST') return undefined
  const [name, ...more] = headerValues(request.raw, 'idempotency-key')
  if (name === undefined) return undefined
  if (more.length > 0 || !IDEMPOTENCY_KEY.test(name))
    throw new BadCall(422, 'The Idempotency-Key must be 1 to 255 visible ASCII characters.', 'Idempotency-Key')
  return name
}

/** Entry point /v1: the management API, which calls the console's procedures with an API key. */
export function mountManage(app: FastifyInstance, ctx: Context, facts: Facts): void {
  const never = () => Promise.reject(new AppError('page-not-found'))
  /** The context of a procedure; what only a session has is out of reach of procedures with a path. */
  const contextOf = (ctx: Context, key: KeyFacts, request: FastifyRequest): AdminCtx => ({
    facts,
    overview: never,
    requestId: request.id,
    address: request.ip,
    reading: ctx,
    takePublic: never,
    caller: never,
    again: never,
    streams: undefined as never,
    pace: never,
    backendOfTry: never,
    key: { facts: key, ctx },
    setCookie: () => undefined,
  })

  const call = async (ctx: Context, key: KeyFacts, operation: Operation, request: FastifyRequest, input: Input) => {
    await refuseOtherSites(ctx, key, operation, input)
    const caller = appRouter.createCaller(contextOf(ctx, key, request))
    const [noun = '', verb = ''] = operation.name.split('.')
    const procedures = caller as unknown as Record<string, Record<string, (input: Input) => Promise<unknown>>>
    return procedures[noun]?.[verb]?.({ tenant: key.tenant.slug, ...input })
  }

  async function serve(operation: Operation, request: FastifyRequest): Promise<unknown> {
    const key = await admit(ctx, request)
    // also of a repetition, whose reply may contain a secret
    if (operation.permission) requireScope(key, operation.permission)
    const input = inputOf(operation, request)
    const name = repetitionOf(operation, request)
    const out =
      name === undefined
        ? await call(ctx, key, operation, request, input)
        : await callOnce(ctx, { keyId: key.id, name, request: [operation.name, input] }, (ctx) =>
            call(ctx, key, operation, request, input),
          )
    return rename(Array.isArray(out) ? { rows: out, nextCursor: null } : (out ?? {}), toSnake)
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof BadCall) {
      const { status, message, field } = error
      return reply.code(status).send({ error: CODES[status], message, ...(field && { field }) })
    }
    const { statusCode } = error as { statusCode?: number }
    if (statusCode === 413) return refuse(new BadCall(413, 'The body may have at most 64 KiB.'), request, reply)
    if (statusCode === 400) return refuse(new BadCall(400, 'The body did not arrive as announced.'), request, reply)
    logError(ctx.log, error, request.id)
    const { reason, message, field } = describe(error)
    const status = getHTTPStatusCodeFromError(toTrpcError(error))
    const retryAfter = retryAfterOf(error)
    if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
    return reply
      .code(status === 400 ? 422 : status)
      .send({ error: reason, message, ...(field && { field: field.split('.').map(toSnake).join('.') }) })
  }

  if (ctx.config.docs) {
    const about = { url: ctx.config.publicUrl, version: facts.version }
    const document = once(() => contentOf(JSON.stringify(describeManage(about)), 'application/json; charset=utf-8'))
    app.get('/v1/openapi.json', async (request, reply) =>
      sendContent(request, reply.header('access-control-allow-origin', '*'), document(), 'public, max-age=300'),
    )
  }

  void app.register(
    async (manage) => {
      manage.removeAllContentTypeParsers()
      manage.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
        done(null, body),
      )
      manage.addHook('onRequest', async (_request, reply) => {
        void reply.header('cache-control', 'no-store')
      })
      manage.setErrorHandler(refuse)
      for (const operation of OPERATIONS)
        manage.route({
          method: operation.method,
          url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
          handler: (request) => serve(operation, request),
        })
      manage.all('/*', () => {
        throw new BadCall(404, 'There is no such call. GET /v1/openapi.json lists all of them.')
      })
    },
    { prefix: '/v1' },
  )
}

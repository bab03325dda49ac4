import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admitSite, admitVisitor, bearer, type SiteCtx, type VisitorCtx } from '../accounts/access.ts'
import { keepCounts } from '../captcha/challenges/networks/snapshot.ts'
import { visitorOf } from '../captcha/challenges/visitor.ts'
import { followMarks } from '../captcha/feedback/raise.ts'
import { isOwnId } from '../captcha/intents/id.ts'
import { noteRefusal, type RefusedCall } from '../captcha/refusals/note.ts'
import type { ErrorCode } from '../contract/mistakes/errors.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import { ClientAddress } from '../kit/http/client.ts'
import { bounded } from '../kit/process/bounded.ts'
import { admissionOf, sendUnavailable } from './admission.ts'
import { postChallenge } from './challenge.ts'
import { answerPreflight } from './cors.ts'
import { endpointOf, knownField, type Path, type PathOf } from './endpoints.ts'
import { proceed, toApiError } from './errors.ts'
import { postFeedback } from './feedback.ts'
import { namedIn } from './fields.ts'
import { postGrants, postGrantsRevoke } from './grants.ts'
import { postIntents } from './intents.ts'
import { carriesSecret, parseJson } from './json.ts'
import { headerValues, isJson } from './mediaType.ts'
import { countAnswer, countDuration } from './metrics.ts'
import { followNetworkLists } from './networkLists.ts'
import { postSiteverify } from './siteverify.ts'
import { postSolve } from './solve.ts'

/** `reply` is for headers only. */
type BackendVerb = (ctx: SiteCtx, body: unknown, reply: FastifyReply) => Promise<object>

/** Called by a merchant's backend, with a secret key. */
const BACKEND: Record<PathOf<'backend'>, BackendVerb> = {
  '/intents': postIntents,
  '/siteverify': postSiteverify,
  '/feedback': postFeedback,
  '/grants': postGrants,
  '/grants/revoke': postGrantsRevoke,
}

/** Called by the browser component, with an Origin and CORS. */
const COMPONENT: Record<PathOf<'component'>, (ctx: VisitorCtx, body: unknown) => Promise<object>> = {
  '/challenge': postChallenge,
  '/solve': postSolve,
}

const entries = <Key extends string, Value>(record: Record<Key, Value>) => Object.entries(record) as [Key, Value][]

const BODY_LIMIT = 16 * 1024
/** The service answers within 4.5 s, including time on the network. */
const ANSWER_MS = 4000

/** A call of the API, with what is known about it so far. `authorization`: every Authorization header. */
type Call = RefusedCall & { endpoint: Path; authorization: string[]; request: FastifyRequest; reply: FastifyReply }

function begin(endpoint: Path, request: FastifyRequest, reply: FastifyReply): Call {
  const authorization = headerValues(request.raw, 'authorization')
  return {
    endpoint,
    request,
    reply,
    requestId: request.id,
    origin: request.headers.origin,
    address: new ClientAddress(request.ip),
    userAgent: request.headers['user-agent'],
    authorization,
    secret: bearer(authorization[0] ?? ''),
    named: {},
    site: undefined,
  }
}

/** Parses the body, and keeps what it names with the call. */
function readBody(call: Call): unknown {
  const { body: bytes } = call.request
  const body = parseJson(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0))
  call.named = namedIn(body)
  if (carriesSecret(body)) throw new AppError('secret-in-body')
  return body
}

async function serveBackend(ctx: Context, call: Call, verb: BackendVerb): Promise<object> {
  const body = readBody(call)
  const admitted = await admitSite(ctx, call.authorization, call)
  call.site = admitted.site
  return verb(admitted, body, call.reply)
}

async function serveComponent(
  ctx: Context,
  call: Call,
  verb: (ctx: VisitorCtx, body: unknown) => Promise<object>,
): Promise<object> {
  const body = readBody(call)
  const { address, request } = call
  const { sitekey = '', intent_id: intent = '' } = call.named
  const known = await admitVisitor(ctx, sitekey, {
    address,
    hasIntent: () => isOwnId(ctx, sitekey, intent),
    look: (site) => visitorOf(ctx, { address, headers: request.headers }, site),
  })
  call.site = known?.site
  if (!known) throw new AppError('bad-field', { field: 'sitekey' })
  return verb(known, body)
}

/** As `answer`, in a span where traces are sent. */
function answerTraced(ctx: Context, call: Call, serve: () => Promise<object>): Promise<FastifyReply> {
  if (!ctx.tracing) return answer(ctx, call, serve)
  const { endpoint, requestId, request } = call
  const traceparent = headerValues(request.raw, 'traceparent')[0]
  const attributes = { 'http.request.method': 'POST', 'http.route': endpoint, 'tollgate.request_id': requestId }
  return ctx.tracing.span(
    { name: `POST ${endpoint}`, kind: 'server', attributes, traceparent },
    () => answer(ctx, call, serve),
    (error) => (error instanceof AppError ? error.code : 'internal-error'),
  )
}

/** Answers within the time of the contract, and stores refusals for the merchant. */
async function answer(ctx: Context, call: Call, serve: () => Promise<object>): Promise<FastifyReply> {
  const began = performance.now()
  const admission = admissionOf(ctx, call.endpoint)
  // Node reads all requests that have arrived in one turn. Serving them after that, each step for all of them, keeps the code
  // of a step in the processor's caches: a quarter less CPU per request under load.
  if (!(await admission.enter())) {
    countAnswer(call.endpoint, 'unavailable')
    throw new AppError('unavailable')
  }
  try {
    const value = await bounded(ANSWER_MS - (performance.now() - began), serve())
    countAnswer(call.endpoint, 'ok')
    return call.reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value))
  } catch (error) {
    const refusal = toApiError(error, ctx.log, call.requestId)
    countAnswer(call.endpoint, refusal.code === 'bad-field' ? 'bad-request' : refusal.code)
    const field = refusal.detail ?? (refusal.field && knownField(call.endpoint, refusal.field))
    noteRefusal(ctx, call, refusal, field).catch((err: unknown) =>
      ctx.log.error({ err, requestId: call.requestId }, 'a refusal could not be stored'),
    )
    throw refusal
  } finally {
    admission.leave()
    countDuration(call.endpoint, performance.now() - began)
  }
}

/** Why a request is refused by its head alone. */
function refusalOf(request: FastifyRequest): AppError<ErrorCode> | undefined {
  const { url, method, raw } = request
  // the router decodes paths; only literal paths are served, so that a proxy's rules apply to the same paths
  if (url.split('?', 1)[0] !== endpointOf(request)) return new AppError('not-found')
  return method === 'POST' && !isJson(raw) ? new AppError('unsupported-media-type') : undefined
}

/** Entry point: the public JSON API. */
export function mountApi(app: FastifyInstance, ctx: Context): void {
  followNetworkLists(app, ctx)
  let counts: Awaited<ReturnType<typeof keepCounts>> | undefined
  let marks: Awaited<ReturnType<typeof followMarks>> | undefined
  app.addHook('onReady', async () => {
    counts = await keepCounts(ctx)
    marks = await followMarks(ctx)
  })
  app.addHook('onClose', async () => {
    await counts?.close()
    marks?.stop()
  })
  void app.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    // before any of the body is read
    api.addHook('onRequest', (request, reply, done) => {
      const endpoint = endpointOf(request) ?? ''
      const admission = admissionOf(ctx, endpoint)
      if (admission.isFull) {
        admission.refuse()
        countAnswer(endpoint, 'unavailable')
        reply.hijack()
        // what the hook of all requests has set
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value)
        sendUnavailable(reply.raw)
        return
      }
      void reply.header('cache-control', 'no-store')
      proceed(done, refusalOf(request))
    })

    for (const [path, verb] of entries(BACKEND)) {
      api.post(path, (request, reply) => {
        const call = begin(path, request, reply)
        return answerTraced(ctx, call, () => serveBackend(ctx, call, verb))
      })
    }
    // before any of the body is read, too
    const preflight = async (request: FastifyRequest, reply: FastifyReply) => {
      const answer = answerPreflight(request, reply)
      if (!answer) throw new AppError('method-not-allowed')
      return answer
    }
    for (const [path, verb] of entries(COMPONENT)) {
      api.post(path, (request, reply) => {
        const call = begin(path, request, reply)
        return answerTraced(ctx, call, () => serveComponent(ctx, call, verb))
      })
      api.options(path, { onRequest: preflight }, preflight)
    }
  })
}

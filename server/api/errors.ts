import type { FastifyReply } from 'fastify'
import type { Log } from '../kit/log.ts'
import { isPassing } from '../kit/outage.ts'
import { CATALOGUE, Refusal, type RefusalCode } from '../kit/refusal.ts'

/** Errors of Fastify's own body parser. */
const OF_FASTIFY: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad-request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad-request',
}

/** Any error as a refusal of the contract. Unknown errors are masked, and logged with the request id. */
export function toRefusal(error: unknown, log: Log, requestId: string): Refusal {
  if (error instanceof Refusal) return error
  const known = error instanceof Error ? OF_FASTIFY[String(Reflect.get(error, 'code'))] : undefined
  if (known !== undefined) return new Refusal(known, { cause: error })
  if (isPassing(error)) return new Refusal('unavailable', { cause: error })
  log.error({ err: error, requestId }, 'internal error')
  return new Refusal('internal-error', { cause: error })
}

/** Status and body of a refusal on the wire. */
export function wireError({ code, field }: Refusal): { status: number; body: string } {
  const { status } = CATALOGUE[code]
  return { status, body: JSON.stringify(code === 'bad-field' ? { error: 'bad-request', field } : { error: code }) }
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, body } = wireError(refusal)
  if (refusal.code === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  if (refusal.code === 'method-not-allowed') void reply.header('allow', 'POST')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', String(refusal.retryAfter))
  // unread bytes of the body must not be parsed as the connection's next request
  if (refusal.code === 'payload-too-large' || refusal.code === 'unsupported-media-type')
    void reply.header('connection', 'close')
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(body)
}

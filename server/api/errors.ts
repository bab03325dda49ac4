import type { FastifyReply } from 'fastify'
import { bearer } from '../accounts/access.ts'
import { ERRORS, type ErrorCode, isErrorCode } from '../contract/mistakes/errors.ts'
import { isField } from '../contract/mistakes/fields.ts'
import { isConflict, isPassing, logOutage } from '../kit/db/outage.ts'
import { AppError } from '../kit/error.ts'
import type { Log } from '../kit/process/log.ts'
import { headerValues } from './mediaType.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the error that was sent, for the log. */
    refusal?: string
  }
}

/** An error of the public API. */
export type ApiError = AppError<ErrorCode>

/** Errors of Fastify's own body parser. */
const OF_FASTIFY: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad-request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad-request',
}

/** A client error that a plugin of Fastify throws as an HTTP error, for example for a path outside its directory. */
function clientError(error: unknown): ErrorCode | undefined {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined
  return status === 403 || status === 404 ? 'not-found' : 'bad-request'
}

/** Any error as one of the public API. Unknown errors are masked, and logged with the request id. */
export function toApiError(error: unknown, log: Log, requestId: string): ApiError {
  if (isApiError(error)) return error
  const known =
    (error instanceof Error ? OF_FASTIFY[String(Reflect.get(error, 'code'))] : undefined) ?? clientError(error)
  if (known !== undefined) return new AppError(known, { cause: error })
  if (isConflict(error)) return new AppError('unavailable', { cause: error })
  if (isPassing(error)) {
    logOutage(log, error, requestId)
    return new AppError('unavailable', { cause: error })
  }
  log.error({ err: error, requestId }, 'internal error')
  return new AppError('internal-error', { cause: error })
}

function isApiError(error: unknown): error is ApiError {
  return error instanceof AppError && isErrorCode(error.code)
}

/** The code of an error on the wire. */
const wireCode = (code: ErrorCode): string => (code === 'bad-field' ? 'bad-request' : code)

/** Status and body of an error on the wire. */
export function wireError({ code, field }: ApiError): { status: number; body: string } {
  const { status } = ERRORS[code]
  return { status, body: JSON.stringify({ error: wireCode(code), ...(code === 'bad-field' && { field }) }) }
}

/** The id of the section or row of docs/errors.md about an error. */
const sectionOf = ({ code, field = '*' }: ApiError): string => {
  if (code !== 'bad-field') return code
  return field !== '*' && isField(field) ? field : 'fields'
}

/** `docs`: the address of the documentation, if this deployment serves it. */
export function sendError(reply: FastifyReply, error: ApiError, docs: string | undefined): FastifyReply {
  const { status, body } = wireError(error)
  reply.refusal = wireCode(error.code)
  if (docs !== undefined) void reply.header('link', `<${docs}/errors#${sectionOf(error)}>; rel="help"`)
  if (error.code === 'unauthorized')
    void reply.header('www-authenticate', 'Bearer').header('tollgate-authorization', receivedBy(reply))
  if (error.code === 'method-not-allowed') void reply.header('allow', 'POST')
  if (error.retryAfter !== undefined) void reply.header('retry-after', String(error.retryAfter))
  if (error.latestEvent !== undefined) void reply.header('tollgate-latest-event', error.latestEvent)
  // a browser would show a mistyped address of a script as blocked, not as missing
  if (error.code === 'not-found') void reply.header('cross-origin-resource-policy', 'cross-origin')
  if (error.code === 'unsupported-media-type' && reply.request.headers['content-encoding'] !== undefined)
    void reply.header('accept-encoding', 'identity')
  // unread bytes of the body must not be parsed as the connection's next request
  if (error.code === 'payload-too-large' || error.code === 'unsupported-media-type')
    void reply.header('connection', 'close')
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(body)
}

/** What arrived as Authorization, so that a client can tell a wrong secret from a proxy that removed or changed the header. */
function receivedBy({ request }: FastifyReply): 'missing' | 'malformed' | 'unknown' {
  const [header, ...others] = headerValues(request.raw, 'authorization')
  if (!header) return 'missing'
  return others.length === 0 && bearer(header) !== undefined ? 'unknown' : 'malformed'
}

/**
 * Ends a hook that looked at a request's head. A refusal waits until the parser has read what has arrived, because a
 * malformed message is answered as such, whatever else is wrong with it.
 */
export function proceed(done: (error?: Error) => void, refusal: Error | false | undefined): void {
  if (refusal) setImmediate(() => done(refusal))
  else done()
}

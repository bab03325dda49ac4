import { type TRPCDefaultErrorShape, TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { z } from 'zod'
import { isReason, REASONS, type Reason, sentenceOf } from '../contract/reasons.ts'
import { isConflict, isGone, isPassing, logOutage } from '../kit/db/outage.ts'
import { AppError } from '../kit/error.ts'
import type { Log } from '../kit/process/log.ts'

/** What was thrown: tRPC wraps it. */
const thrownIn = (error: unknown): unknown => (error instanceof TRPCError ? (error.cause ?? error) : error)

/** Why a call failed. An error of tRPC itself comes before any procedure, from a page of another version. */
export function reasonOf(error: unknown): Reason {
  const thrown = thrownIn(error)
  if (thrown instanceof AppError && isReason(thrown.code)) return thrown.code
  // tRPC parses the body when a procedure first reads its input; nothing behind the procedures parses JSON of clients
  if (thrown instanceof z.core.$ZodError || thrown instanceof SyntaxError) return 'input-invalid'
  if (thrown instanceof TRPCError) return thrown.code === 'INTERNAL_SERVER_ERROR' ? 'internal-error' : 'page-outdated'
  if (isGone(thrown)) return 'deleted-meanwhile'
  return isPassing(thrown) || isConflict(thrown) ? 'unavailable' : 'internal-error'
}

function fieldOf(thrown: unknown, reason: Reason): string | undefined {
  if (thrown instanceof z.core.$ZodError) return thrown.issues[0]?.path.join('.')
  return thrown instanceof AppError && thrown.code === reason ? thrown.field : undefined
}

/** The code of tRPC, the sentence for the person, and the offending field of the input. */
export function describe(error: unknown) {
  const thrown = thrownIn(error)
  const reason = reasonOf(thrown)
  const { code } = thrown instanceof TRPCError ? thrown : REASONS[reason]
  const message = thrown instanceof AppError && thrown.code === reason ? thrown.message : sentenceOf(reason, {})
  const field = fieldOf(thrown, reason)
  return { code, message, reason, ...(field && { field }) }
}

/** Whole seconds until a retry makes sense, if the error says so. */
export function retryAfterOf(error: unknown): number | undefined {
  const thrown = thrownIn(error)
  if (thrown instanceof AppError) return thrown.retryAfter
  return reasonOf(thrown) === 'unavailable' ? new AppError('unavailable').retryAfter : undefined
}

/** Logs an error that its caller learns nothing about: a fault of ours, or an outage of the database. */
export function logError(log: Log, error: unknown, requestId: string): void {
  const err = thrownIn(error)
  const reason = reasonOf(err)
  if (reason === 'internal-error') log.error({ err, requestId }, 'internal error')
  else if (isPassing(err)) logOutage(log, err, requestId)
  else if (isConflict(err)) log.warn({ err, requestId }, 'a call was answered 503, because of a deadlock')
  // it may also be a mistake of the service
  else if (isGone(err)) log.warn({ err, requestId }, 'a call was answered 404, because its object is gone')
}

/** Any error as one of tRPC, with the code and the sentence of its reason. */
export function toTrpcError(error: unknown): TRPCError {
  const { code, message } = describe(error)
  return new TRPCError({ code, message, cause: thrownIn(error) })
}

/**
 * What the browser learns of an error: the reason, its sentence, the offending field of the input, and the request id to
 * quote. Nothing else, because tRPC wraps unknown errors with their message and, in development, the stack. Without a
 * `ctx` (it could not be created) the id is null; the reply's X-Request-Id still has it.
 */
export function formatError({
  shape,
  error,
  ctx,
}: {
  shape: TRPCDefaultErrorShape
  error: TRPCError
  ctx: { requestId: string } | undefined
}) {
  const { code, message, reason, field } = describe(error)
  // a stream's error comes as it was thrown, which tRPC takes for an internal one
  const httpStatus = getHTTPStatusCodeFromError(toTrpcError(error))
  return {
    code: shape.code,
    message,
    data: { code, httpStatus, requestId: ctx?.requestId ?? null, reason, ...(field && { field }) },
  }
}

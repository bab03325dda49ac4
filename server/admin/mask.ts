import type { TRPCDefaultErrorShape, TRPCError } from '@trpc/server'

/**
 * What the browser learns of an error: its code and the request id to quote; the message only of errors raised on purpose.
 * tRPC wraps whatever else is thrown as INTERNAL_SERVER_ERROR, with the inner message and, in development, the stack.
 * Without a `ctx` (it could not be created) the id is null; the reply's X-Request-Id still has it.
 */
export function mask({
  shape,
  error,
  ctx,
}: {
  shape: TRPCDefaultErrorShape
  error: TRPCError
  ctx: { requestId: string } | undefined
}) {
  const { code, httpStatus } = shape.data
  return {
    code: shape.code,
    message: error.code === 'INTERNAL_SERVER_ERROR' ? 'internal-error' : error.message,
    data: { code, httpStatus, requestId: ctx?.requestId ?? null },
  }
}

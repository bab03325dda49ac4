import type { ErrorCode } from './types.ts'

/** Why a verification failed. `requestId` is set if the service answered, `field` if the error names one. */
export class Failure extends Error {
  // `declare`: with the oldest supported browsers as the target, a class field compiles to 1 kB of helpers.
  declare readonly code: ErrorCode
  declare readonly requestId: string | undefined
  /** Milliseconds after which the request may be retried; absent if it must not be. */
  declare readonly retryAfter: number | undefined
  declare readonly field: string | undefined

  constructor(code: ErrorCode, field?: string, retryAfter?: number, requestId?: string) {
    super(code)
    Object.assign(this, { code, field, retryAfter, requestId })
  }
}

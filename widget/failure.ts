import type { ErrorCode } from './types.ts'

/** Why a verification could not be completed; `requestId` only if the service answered, `field` if it named one. */
export class Failure extends Error {
  // `declare`: for the oldest browsers served, a real field is compiled to a kilobyte of helpers.
  declare readonly code: ErrorCode
  declare readonly requestId: string | undefined
  /** Milliseconds after which it is worth another try; absent if it is not. */
  declare readonly after: number | undefined
  declare readonly field: string | undefined

  constructor(code: ErrorCode, field?: string, after?: number, requestId?: string) {
    super(code)
    Object.assign(this, { code, field, after, requestId })
  }
}

import type { ErrorCode } from './types.ts'

/** Why a verification could not be completed; `requestId` only if the service answered. */
export class Failure extends Error {
  // `declare`: for the oldest browsers served, a real field is compiled to a kilobyte of helpers.
  declare readonly code: ErrorCode
  declare readonly requestId: string | undefined

  constructor(code: ErrorCode, requestId?: string) {
    super(code)
    this.code = code
    this.requestId = requestId
  }
}

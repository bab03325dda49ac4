import type { ErrorCode } from './types.ts'

/** Why a verification could not be completed; `requestId` only if the service answered. */
export class Failure extends Error {
  // `declare`: for the oldest browsers served, a real field is compiled to a kilobyte of helpers.
  declare readonly code: ErrorCode
  declare readonly requestId: string | undefined
  /** Milliseconds after which it is worth another try; absent if it is not. */
  declare readonly after: number | undefined

  constructor(code: ErrorCode, requestId?: string, after?: number) {
    super(code)
    Object.assign(this, { code, requestId, after })
  }
}

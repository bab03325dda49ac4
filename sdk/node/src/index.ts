/** Tollgate for Node.js backends: everything that the package offers. */
export { Tollgate } from './client.ts'
export { createEventId, createIdempotencyKey, createNonce } from './draw.ts'
export type { ErrorDetails } from './errors.ts'
export {
  AlreadyRedeemedError,
  BadRequestError,
  BindingMismatchError,
  EventConflictError,
  FeedbackClosedError,
  GrantExistsError,
  GrantInvalidError,
  GrantsDisabledError,
  IdempotencyConflictError,
  IntentExpiredError,
  InternalError,
  MethodNotAllowedError,
  NonceConflictError,
  NotFoundError,
  PayloadTooLargeError,
  QuotaExceededError,
  RateLimitedError,
  ResponseInvalidError,
  SecretInBodyError,
  SiteDisabledError,
  SupersedeRequiredError,
  SupersedeStaleError,
  TollgateError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
  UnreachableError,
  UnsupportedMediaTypeError,
} from './errors.ts'
export { isResponseToken } from './grammars.ts'
export { hashSession, hashSubject } from './hash.ts'
export type { TollgateOptions } from './options.ts'
export type { ScriptOptions, WidgetOptions } from './render.ts'
export { renderScript, renderWidget } from './render.ts'
export { testKeys } from './testKeys.ts'
export type {
  CallOptions,
  Decision,
  Feedback,
  FeedbackReceipt,
  Grant,
  GrantRequest,
  Intent,
  IntentRequest,
  Outcome,
  Redemption,
  Revocation,
  RevokeRequest,
} from './types.ts'

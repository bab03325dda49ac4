/** Tollgate for Node.js backends: everything that the package offers. */
export { Tollgate } from './client.ts'
export { createEventId, createIdempotencyKey, createNonce } from './draw.ts'
export type { ErrorDetails } from './errors.ts'
export { InvalidError, MisconfiguredError, RefusedError, TollgateError, UnavailableError } from './errors.ts'
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
export type { WebhookEvent, WebhookHeaders } from './webhook.ts'
export { verifyWebhook, WebhookError } from './webhook.ts'

import { readDecision, readGrant, readIntent, readReceipt, readRevocation } from './answers.ts'
import { FEEDBACK, GRANT, INTENT, REDEMPTION, REVOCATION } from './arguments.ts'
import { call } from './call.ts'
import { readOptions, type Settings, type TollgateOptions } from './options.ts'
import type {
  CallOptions,
  Decision,
  Feedback,
  FeedbackReceipt,
  Grant,
  GrantRequest,
  Intent,
  IntentRequest,
  Redemption,
  Revocation,
  RevokeRequest,
} from './types.ts'

/**
 * The client of one site. Make one and share it.
 *
 * Every call either gives what its type says or rejects with a `TollgateError`. Arguments are judged before anything is
 * sent; lost answers, 429 and 503 are repeated with the same bytes until the deadline; a 200 counts only if it answers
 * exactly what was asked.
 */
export class Tollgate {
  readonly #settings: Settings

  /** @throws TypeError if an option is missing, malformed or mistyped, and in a browser */
  constructor(options: TollgateOptions) {
    if ('window' in globalThis && 'document' in globalThis) {
      throw new TypeError(
        'Tollgate: the client holds your secret key, so it belongs into your backend, not into a browser.',
      )
    }
    this.#settings = readOptions(options)
  }

  /**
   * Opens an intent for one form: `POST /intents`. Store the nonce before the call and the `intentId` after it, then
   * render the form.
   *
   * @throws QuotaExceededError where no form could be submitted anyway; RateLimitedError, UnavailableError or
   * UnreachableError where the page can be offered again; GrantInvalidError or GrantsDisabledError where it is to be
   * opened without the grant, with a new nonce; and what a misconfiguration gives
   */
  async createIntent(request: IntentRequest, options?: CallOptions): Promise<Intent> {
    const { sitekey } = this.#settings
    return await call(this.#settings, { path: '/intents', shape: INTENT, read: readIntent(sitekey) }, request, options)
  }

  /**
   * Redeems a visitor's token: `POST /siteverify`. If it resolves, the visitor passed and one unit is charged, and
   * only then do the business. The same five values give the same decision for ten minutes, without a second charge.
   *
   * @throws ResponseInvalidError or IntentExpiredError where a fresh form is to be shown; AlreadyRedeemedError where
   * your own record says what happened; an error that is `retryable`, or QuotaExceededError, where the same submission
   * may be tried again; and what a misconfiguration gives
   */
  async verify(request: Redemption, options?: CallOptions): Promise<Decision> {
    return await call(this.#settings, { path: '/siteverify', shape: REDEMPTION, read: readDecision }, request, options)
  }

  /**
   * Reports the outcome of a decision: `POST /feedback`. It changes no decision and bans nobody.
   *
   * @throws FeedbackClosedError after 7 days; SupersedeRequiredError, SupersedeStaleError or EventConflictError where
   * your records and the service's differ
   */
  async feedback(request: Feedback, options?: CallOptions): Promise<FeedbackReceipt> {
    return await call(this.#settings, { path: '/feedback', shape: FEEDBACK, read: readReceipt }, request, options)
  }

  /**
   * Gets the grant of a decision, or renews one: `POST /grants`. The same values give the same grant.
   *
   * @throws GrantInvalidError where the decision cannot give one; GrantExistsError where it gave one with other values;
   * GrantsDisabledError
   */
  async createGrant(request: GrantRequest, options?: CallOptions): Promise<Grant> {
    return await call(this.#settings, { path: '/grants', shape: GRANT, read: readGrant }, request, options)
  }

  /** Revokes one grant, or all of a session as at log-out: `POST /grants/revoke`. */
  async revokeGrant(request: RevokeRequest, options?: CallOptions): Promise<Revocation> {
    return await call(
      this.#settings,
      { path: '/grants/revoke', shape: REVOCATION, read: readRevocation },
      request,
      options,
    )
  }
}

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
 * The client of one site. Create one and share it.
 *
 * Every call resolves to its result or rejects with a `TollgateError`. Arguments are checked before anything is
 * sent; lost answers, 429 and 503 are repeated with the same bytes until the deadline; a 200 is accepted only if it matches
 * the request exactly.
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
   * @throws UnavailableError if the page can be tried again, or with the code `quota-exceeded` if no form could be submitted
   * anyway; RefusedError if it has to be opened with a new nonce, without the grant; MisconfiguredError, InvalidError
   */
  async createIntent(request: IntentRequest, options?: CallOptions): Promise<Intent> {
    const { sitekey } = this.#settings
    return await call(this.#settings, { path: '/intents', shape: INTENT, read: readIntent(sitekey) }, request, options)
  }

  /**
   * Redeems a visitor's token: `POST /siteverify`. If it resolves, the visitor passed and one unit was charged;
   * only then execute the action. The same five values give the same decision for ten minutes, without a second charge.
   *
   * @throws RefusedError if a new form has to be shown; with the code `already-redeemed`, your own record may have the result;
   * UnavailableError if the same submission may be tried again; MisconfiguredError, InvalidError
   */
  async verify(request: Redemption, options?: CallOptions): Promise<Decision> {
    return await call(this.#settings, { path: '/siteverify', shape: REDEMPTION, read: readDecision }, request, options)
  }

  /**
   * Reports the outcome of a decision: `POST /feedback`. It changes no decision.
   *
   * @throws RefusedError with the code `feedback-closed` after 7 days, and with `supersede-required` or `supersede-stale` if
   * another event came first, such as a correction in the console: `latestEventId` is the event to supersede
   */
  async feedback(request: Feedback, options?: CallOptions): Promise<FeedbackReceipt> {
    return await call(this.#settings, { path: '/feedback', shape: FEEDBACK, read: readReceipt }, request, options)
  }

  /**
   * Issues the grant of a decision, or renews one: `POST /grants`. The same values give the same grant.
   *
   * @throws RefusedError with the code `grant-invalid` if the decision does not qualify, `grant-exists` if it has a grant with
   * other values, `grants-disabled`
   */
  async createGrant(request: GrantRequest, options?: CallOptions): Promise<Grant> {
    return await call(this.#settings, { path: '/grants', shape: GRANT, read: readGrant }, request, options)
  }

  /** Revokes one grant, or all of a session, for example at log-out: `POST /grants/revoke`. */
  async revokeGrant(request: RevokeRequest, options?: CallOptions): Promise<Revocation> {
    return await call(
      this.#settings,
      { path: '/grants/revoke', shape: REVOCATION, read: readRevocation },
      request,
      options,
    )
  }
}

/** The intent to open. */
export interface IntentRequest {
  /** What the visitor is about to do, in your own words: `checkout`, `signup`. At most 64 of `A-Z a-z 0-9 _ -`. */
  action: string
  /** The hostname of the page with the form, one of the site's hostnames: lower case, no scheme, no port, Punycode. */
  hostname: string
  /** `createNonce()`, stored before the call. The same nonce with the same values gives the same intent. */
  nonce: string
  /** `hashSession(…)` of the visitor's session. A grant belongs to the session of the intent that it came from. */
  session?: string | undefined
  /** `hashSubject(…)` of the target of the action: account, e-mail, card. Requests with the same subject are limited, and raise the difficulty. */
  subject?: string | undefined
  /**
   * A grant, to skip the challenge. It counts as one use. `session` must be the grant's; leave it out for a grant without
   * one.
   */
  trustedGrantId?: string | undefined
}

/** An intent: the right to one try at one action on one page. */
export interface Intent {
  /** A UUID. Store it with the nonce, and render it into the form. */
  readonly intentId: string
  readonly sitekey: string
  readonly action: string
  readonly hostname: string
  /** Unix seconds. The intent and its token end then: 300 seconds after it was opened. */
  readonly expiresAt: number
}

/** The token to redeem, with the values that you stored for its form. */
export interface Redemption {
  /** The field `svc-captcha-response` of the submitted form. */
  response: string
  /** The intent that you stored for this form, never one from a form field. */
  intentId: string
  /** As stored with the intent. */
  action: string
  /** As stored with the intent. */
  hostname: string
  /** `createIdempotencyKey()`, stored before the first call; the same for every repetition. */
  idempotencyKey: string
}

/** The visitor passed, and one unit was charged. */
export interface Decision {
  readonly success: true
  readonly intentId: string
  readonly action: string
  readonly hostname: string
  /** For your records, feedback and grants. */
  readonly decisionId: string
  readonly assessment: 'passed'
}

/** The outcome of a decision. */
export type Outcome = 'confirmed_abuse' | 'legitimate' | 'unknown'

/** Something that you learned about a decision, within 7 days of its redemption. */
export interface Feedback {
  decisionId: string
  /** `createEventId()`, stored before the call. The same event gives the same answer. */
  eventId: string
  outcome: Outcome
  /** Your name for the source of the information: `chargeback`, `manual_review`. At most 64 of `A-Z a-z 0-9 _ -`. */
  businessType: string
  /** When it happened: Unix seconds or a Date, rounded down. Not before the redemption, not later than now. */
  occurredAt: number | Date
  /**
   * The decision's latest event, which this one corrects: `latestEventId` of the last receipt, or of an error
   * with the code `supersede-required` or `supersede-stale`.
   */
  supersedesEventId?: string | undefined
}

export interface FeedbackReceipt {
  readonly accepted: true
  readonly eventId: string
  /** 1 for the first event of the decision, one more for each correction. */
  readonly revision: number
  /** Unix seconds: until when it can be corrected. */
  readonly expiresAt: number
  /**
   * The decision's latest event: this one, unless the call was repeated and the event has been corrected since, here or in the
   * console. Undefined if the service does not say it.
   */
  readonly latestEventId: string | undefined
}

/**
 * The grant of a decision of the last ten minutes. Either its own challenge was solved; or it was exempt, its intent has a
 * session, and the grant is renewed: for 24 hours after the session's last solved challenge, less where the site says so.
 */
export interface GrantRequest {
  decisionId: string
  /** The session of the decision's intent. The grant belongs to that session whether you send it or not. */
  session?: string | undefined
  /** Seconds, 60 to 3,600; the service's default is 900. The site may cap it. */
  ttl?: number | undefined
  /** Intents that it opens, 1 to 10; the service's default is 1. The site may cap it. */
  uses?: number | undefined
}

/** Lets the next intents skip the challenge. Keep it on your server: without a session, its id is sufficient to use it. */
export interface Grant {
  /** A UUID, for `trustedGrantId`. */
  readonly grantId: string
  /** Unix seconds. */
  readonly expiresAt: number
  /** As granted: the site may have capped it. */
  readonly uses: number
}

/** One grant, or all of a session. */
export type RevokeRequest =
  | { grantId: string; session?: undefined }
  | {
      /** All grants of this session: log-out. */
      session: string
      grantId?: undefined
    }

export interface Revocation {
  /** Grants revoked by this call; called again, 0. */
  readonly revoked: number
}

/** Options of a single call. */
export interface CallOptions {
  /**
   * Cancels the call, which rejects with the signal's reason. Whether it was carried out is unknown then; the same call
   * with the same values finds out.
   */
  signal?: AbortSignal | undefined
}

import type {
  Challenge,
  Decision,
  FeedbackFields,
  Grant,
  Intent,
  IntentFields,
  Redemption,
  Site,
  State,
} from './state.ts'

/**
 * The contract's order of checks for each endpoint: `ok`, an error code, or `bad-request <field>`.
 * The request is authenticated and its fields are well-formed.
 */
export type Outcome = string

/** The time at which a request may have been checked, and which bound to use for earlier times. */
export type Moment = { now: number; edge: 0 | 1 }

export const REPLAY_WINDOW = 600
export const FEEDBACK_WINDOW = 7 * 24 * 3600
export const INTENT_LIFETIME = 300
const WRONG_SOLUTIONS = 10

const enabled = (site: Site): boolean => !site.paused && !site.tenant.suspended
const redeemedAt = (decision: Decision, at: Moment): number => decision.redeemed[at.edge]
const same = (a: object, b: object): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => Reflect.get(a, key) === Reflect.get(b, key))

export const intentOf = (state: State, site: Site, nonce: string): Intent | undefined =>
  state.intents.find((intent) => intent.site === site && intent.fields.nonce === nonce)

/** Whether the challenge of the intent is skipped: its grant is not revoked, and grants are still enabled. */
export const isExempt = (state: State, { site, fields }: Intent): boolean =>
  site.grants && state.grants.some(({ id, revoked }) => id === fields.trusted_grant_id && !revoked)

const spendable = (state: State, site: Site, fields: IntentFields, at: Moment): Grant | undefined =>
  state.grants.find(
    (grant) =>
      grant.id === fields.trusted_grant_id &&
      grant.decision.intent.site === site &&
      grant.session === fields.session &&
      !grant.revoked &&
      grant.used < grant.uses &&
      grant.expiresAt > at.now,
  )

export function judgeIntents(state: State, site: Site, fields: IntentFields, at: Moment): Outcome {
  if (!site.hostnames.has(fields.hostname)) return 'bad-request hostname'
  const stored = intentOf(state, site, fields.nonce)
  if (stored && same(stored.fields, fields)) return stored.expiresAt <= at.now ? 'intent-expired' : 'ok'
  if (fields.subject !== undefined && (site.opened.get(fields.subject) ?? 0) >= site.subjectLimit) return 'rate-limited'
  if (!enabled(site)) return 'site-disabled'
  if (fields.trusted_grant_id !== undefined && !site.grants) return 'grants-disabled'
  if (stored) return 'nonce-conflict'
  if (fields.trusted_grant_id !== undefined && !spendable(state, site, fields, at)) return 'grant-invalid'
  if (site.tenant.used >= site.tenant.included && site.tenant.balance <= 0) return 'quota-exceeded'
  return 'ok'
}

/** A hostname other than the intent's is a binding mismatch, allowed or not. */
export function judgeSiteverify(state: State, site: Site, intentId: string, asked: Redemption, at: Moment): Outcome {
  const intent = state.intents.find((one) => one.id === intentId && one.site === site)
  const decision = intent?.decision
  const repeats =
    decision !== undefined && decision.asked.key === asked.key && redeemedAt(decision, at) > at.now - REPLAY_WINDOW
  if (decision && repeats && same(decision.asked, asked)) return 'ok'
  if (!enabled(site)) return 'site-disabled'
  if (decision) return repeats ? 'idempotency-conflict' : 'already-redeemed'
  const token = state.tokens.find(({ intent: its, text }) => its === intent && text === asked.response)
  if (!intent || !token) return 'response-invalid'
  if (!token.solved && !isExempt(state, intent)) return 'intent-expired'
  if (intent.fields.action !== asked.action || intent.fields.hostname !== asked.hostname) return 'binding-mismatch'
  if (!site.hostnames.has(asked.hostname)) return 'bad-request hostname'
  if (intent.expiresAt <= at.now) return 'intent-expired'
  if (site.tenant.used >= site.tenant.included && site.tenant.balance <= 0) return 'quota-exceeded'
  return 'ok'
}

const ownDecision = (state: State, site: Site, id: string): Decision | undefined =>
  state.decisions.find((decision) => decision.id === id && decision.intent.site === site)

export function judgeFeedback(state: State, site: Site, fields: FeedbackFields, at: Moment): Outcome {
  const decision = ownDecision(state, site, fields.decision_id)
  if (!decision) return 'bad-request decision_id'
  const redeemed = Math.floor(redeemedAt(decision, at))
  if (fields.occurred_at < redeemed || fields.occurred_at > Math.floor(at.now)) return 'bad-request occurred_at'
  const stored = state.events.find((event) => event.site === site && event.fields.event_id === fields.event_id)
  if (stored && same(stored.fields, fields)) return 'ok'
  if (!enabled(site)) return 'site-disabled'
  if (stored) return 'event-conflict'
  if (at.now >= redeemed + FEEDBACK_WINDOW) return 'feedback-closed'
  const last = decision.events.at(-1)
  if (last && fields.supersedes_event_id === undefined) return 'supersede-required'
  if (fields.supersedes_event_id !== last?.fields.event_id) return 'supersede-stale'
  return 'ok'
}

export function judgeGrants(
  state: State,
  site: Site,
  asked: { decision_id: string; session?: string; ttl: number; uses: number },
  at: Moment,
): Outcome {
  const decision = ownDecision(state, site, asked.decision_id)
  if (!decision) return 'bad-request decision_id'
  const { grant } = decision
  const { session, trusted_grant_id: opener } = decision.intent.fields
  const ownSession = asked.session === undefined || asked.session === session
  if (grant && ownSession && grant.ttlAsked === asked.ttl && grant.usesAsked === asked.uses) return 'ok'
  if (!enabled(site)) return 'site-disabled'
  if (!site.grants) return 'grants-disabled'
  if (grant) return ownSession ? 'grant-exists' : 'grant-invalid'
  const renews =
    session !== undefined && site.renewal > 0 && state.grants.some(({ id, revoked }) => id === opener && !revoked)
  const qualifies = (decision.solved || renews) && ownSession && redeemedAt(decision, at) > at.now - REPLAY_WINDOW
  return qualifies ? 'ok' : 'grant-invalid'
}

/** The grants that a request revokes; undefined if it names a grant of another site. */
export function meantGrants(
  state: State,
  site: Site,
  asked: { grant_id?: string; session?: string },
): Grant[] | undefined {
  const own = state.grants.filter((grant) => grant.decision.intent.site === site)
  if (asked.session !== undefined) return own.filter((grant) => grant.session === asked.session)
  const one = own.filter((grant) => grant.id === asked.grant_id)
  return one.length > 0 ? one : undefined
}

export function judgeRevoke(state: State, site: Site, asked: { grant_id?: string; session?: string }): Outcome {
  if (asked.grant_id === undefined && asked.session === undefined) return 'bad-request grant_id'
  if (asked.grant_id !== undefined && asked.session !== undefined) return 'bad-request session'
  return meantGrants(state, site, asked) ? 'ok' : 'bad-request grant_id'
}

type Visit = { site: Site | undefined; intentId: string; origin: string | undefined }

function judgeVisit({ site, origin }: Visit, intent: Intent): Outcome | undefined {
  const { hostname } = intent.fields
  const matches = origin === `https://${hostname}` && site?.hostnames.has(hostname)
  return matches ? undefined : 'origin-not-allowed'
}

export function judgeChallenge(state: State, visit: Visit, at: Moment): Outcome {
  if (!visit.site) return 'bad-request sitekey'
  const intent = state.intents.find((one) => one.id === visit.intentId && one.site === visit.site)
  if (!intent) return 'bad-request intent_id'
  const refused = judgeVisit(visit, intent)
  if (refused !== undefined) return refused
  if (!enabled(visit.site)) return 'site-disabled'
  return intent.decision || intent.expiresAt <= at.now ? 'intent-expired' : 'ok'
}

export function judgeSolve(
  state: State,
  visit: Visit,
  challenge: Challenge | undefined,
  right: boolean,
  at: Moment,
): Outcome {
  if (!visit.site) return 'bad-request sitekey'
  const intent = state.intents.find((one) => one.id === visit.intentId && one.site === visit.site)
  if (!intent) return 'bad-request intent_id'
  if (challenge?.intent !== intent) return 'bad-request challenge'
  const refused = judgeVisit(visit, intent)
  if (refused !== undefined) return refused
  if (intent.wrongSolutions >= WRONG_SOLUTIONS) return 'rate-limited'
  if (!enabled(visit.site)) return 'site-disabled'
  if (intent.expiresAt <= at.now) return 'intent-expired'
  // it may be valid until the end of the announced second
  if (challenge.expiresAt + at.edge <= at.now) return 'challenge-expired'
  if (challenge.round < intent.wrongSolutions) return 'challenge-expired'
  return right ? 'ok' : 'solution-invalid'
}

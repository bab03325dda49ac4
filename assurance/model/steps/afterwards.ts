import fc from 'fast-check'
import { askGrant, report, revoke } from '../merchant.ts'
import { mostly, recent, SESSIONS, siteOf, some, step, UNKNOWN_ID, uuid } from './step.ts'

/** Feedback and grants for decisions. */

const EVENTS = [uuid(1), uuid(2), uuid(3)] as const

export const feedback = step(
  'feedback',
  fc.record({
    decision: some,
    site: mostly('own' as const, some),
    event: fc.constantFrom(...EVENTS),
    outcome: fc.constantFrom('confirmed_abuse', 'legitimate', 'unknown'),
    occurred: mostly('now' as const, fc.constantFrom('before', 'after')),
    supersedes: fc.oneof(fc.constant('latest' as const), fc.constant('none' as const), fc.constantFrom(...EVENTS)),
  }),
  (state) => state.decisions.length > 0,
  (world, state, { decision: n, site, event, outcome, occurred, supersedes }) => {
    const decision = recent(state.decisions, n)
    const last = decision.events.at(-1)?.fields.event_id
    const superseded = supersedes === 'latest' ? last : supersedes === 'none' ? undefined : supersedes
    const second =
      occurred === 'now'
        ? Math.ceil(decision.redeemed[1])
        : occurred === 'before'
          ? decision.redeemed[0] - 1
          : 1 + Date.now() / 1000
    return report(world, state, siteOf(state, decision.intent.site, site), {
      decision_id: decision.id,
      event_id: event,
      outcome,
      business_type: 'order',
      occurred_at: Math.min(
        Math.floor(second),
        occurred === 'now' ? Math.floor(Date.now() / 1000) : Number.MAX_SAFE_INTEGER,
      ),
      ...(superseded === undefined ? {} : { supersedes_event_id: superseded }),
    })
  },
)

export const repeatFeedback = step(
  'repeat feedback',
  fc.record({ event: some, outcome: mostly('own' as const, fc.constantFrom('legitimate', 'unknown')) }),
  (state) => state.events.length > 0,
  (world, state, { event: n, outcome }) => {
    const { site, fields } = recent(state.events, n)
    return report(world, state, site, { ...fields, ...(outcome === 'own' ? {} : { outcome }) })
  },
)

export const grant = step(
  'grant',
  fc.record({
    decision: some,
    site: mostly('own' as const, some),
    session: mostly('own' as const, fc.constantFrom('none' as const, ...SESSIONS)),
    ttl: fc.constantFrom(undefined, 60, 900, 3600),
    uses: fc.constantFrom(undefined, 1, 3),
  }),
  (state) => state.decisions.length > 0,
  (world, state, { decision: n, site, session, ttl, uses }) => {
    const decision = recent(state.decisions, n)
    const named = session === 'own' ? decision.intent.fields.session : session === 'none' ? undefined : session
    return askGrant(world, state, siteOf(state, decision.intent.site, site), {
      decision_id: decision.id,
      ...(named === undefined ? {} : { session: named }),
      ...(ttl === undefined ? {} : { ttl }),
      ...(uses === undefined ? {} : { uses }),
    })
  },
)

export const revocation = step(
  'revoke',
  fc.record({
    grant: some,
    site: mostly('own' as const, some),
    by: fc.constantFrom('id', 'session', 'both', 'neither', 'unknown'),
  }),
  (state) => state.grants.length > 0,
  (world, state, { grant: n, site, by }) => {
    const { id, session, decision } = recent(state.grants, n)
    return revoke(world, state, siteOf(state, decision.intent.site, site), {
      ...(by === 'id' || by === 'both' ? { grant_id: id } : by === 'unknown' ? { grant_id: UNKNOWN_ID } : {}),
      ...(session !== undefined && (by === 'session' || by === 'both') ? { session } : {}),
    })
  },
)

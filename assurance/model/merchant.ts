import assert from 'node:assert/strict'
import {
  FEEDBACK_WINDOW,
  INTENT_LIFETIME,
  intentOf,
  judgeFeedback,
  judgeGrants,
  judgeIntents,
  judgeRevoke,
  judgeSiteverify,
  meantGrants,
} from './judge.ts'
import type { FeedbackFields, Grant, IntentFields, Redemption, Site, State } from './state.ts'
import type { World } from './world.ts'

/** Calls of a merchant's backend: the expected answer, and the state afterwards. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UUIDV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const as = (site: Site) => ({ authorization: `Bearer ${site.secret}` })

/** The whole seconds within a short span. */
const secondsIn = ([from, to]: readonly [number, number], plus: number): number[] =>
  Array.from({ length: Math.floor(to) - Math.floor(from) + 1 }, (_, i) => Math.floor(from) + i + plus)

export async function openIntent(world: World, state: State, site: Site, fields: IntentFields): Promise<void> {
  const before = intentOf(state, site, fields.nonce)
  const answer = await world.ask({ path: '/intents', body: fields, headers: as(site) }, (at) =>
    judgeIntents(state, site, fields, at),
  )
  if (answer.outcome !== 'ok') return
  const id = before?.id ?? String(answer.body['intent_id'])
  const expiresAt = before?.expiresAt ?? Number(answer.body['expires_at'])
  const { action, hostname } = fields
  assert.match(id, UUIDV7)
  assert.equal(
    answer.text,
    JSON.stringify({ intent_id: id, sitekey: site.sitekey, action, hostname, expires_at: expiresAt }),
  )
  if (before) return
  assert.ok(secondsIn([answer.sent, answer.received], INTENT_LIFETIME).includes(expiresAt))
  state.intents.push({ id, site, fields, expiresAt, wrongSolutions: 0 })
  if (fields.subject !== undefined) site.opened.set(fields.subject, (site.opened.get(fields.subject) ?? 0) + 1)
  const grant = state.grants.find((one) => one.id === fields.trusted_grant_id)
  if (grant) grant.used += 1
}

export async function redeem(
  world: World,
  state: State,
  site: Site,
  intentId: string,
  asked: Redemption,
): Promise<void> {
  const { key: idempotency_key, ...rest } = asked
  const body = { ...rest, intent_id: intentId, idempotency_key }
  const answer = await world.ask({ path: '/siteverify', body, headers: as(site) }, (at) =>
    judgeSiteverify(state, site, intentId, asked, at),
  )
  if (answer.outcome !== 'ok') return
  const intent = state.intents.find((one) => one.id === intentId)
  assert.ok(intent)
  if (intent.decision) {
    assert.equal(answer.text, intent.decision.text)
    return
  }
  const decisionId = String(answer.body['decision_id'])
  assert.match(decisionId, /^dec_[A-Za-z0-9_-]{1,60}$/)
  const { action, hostname } = intent.fields
  const text = JSON.stringify({
    success: true,
    intent_id: intentId,
    action,
    hostname,
    decision_id: decisionId,
    assessment: 'passed',
  })
  assert.equal(answer.text, text)
  const token = state.tokens.find((one) => one.intent === intent && one.text === asked.response)
  intent.decision = {
    id: decisionId,
    intent,
    text,
    asked,
    redeemed: [answer.sent, answer.received],
    solved: token?.solved ?? false,
    events: [],
  }
  state.decisions.push(intent.decision)
  const { tenant } = site
  if (tenant.used < tenant.included) tenant.used += 1
  else tenant.balance -= 1
}

export async function report(world: World, state: State, site: Site, fields: FeedbackFields): Promise<void> {
  const answer = await world.ask({ path: '/feedback', body: fields, headers: as(site) }, (at) =>
    judgeFeedback(state, site, fields, at),
  )
  const decision = state.decisions.find((one) => one.id === fields.decision_id)
  const latest = decision?.events.at(-1)?.fields.event_id
  if (answer.outcome !== 'ok') {
    assert.equal(answer.latestEvent, answer.outcome.startsWith('supersede-') ? latest : undefined)
    return
  }
  assert.ok(decision)
  const before = decision.events.find((event) => event.fields.event_id === fields.event_id)
  const revision = before?.revision ?? decision.events.length + 1
  const expiresAt = Number(answer.body['expires_at'])
  assert.ok(secondsIn(decision.redeemed, FEEDBACK_WINDOW).includes(expiresAt))
  assert.equal(
    answer.text,
    JSON.stringify({ accepted: true, event_id: fields.event_id, revision, expires_at: expiresAt }),
  )
  assert.equal(answer.latestEvent, before ? latest : fields.event_id)
  // the answer contains the second of the redemption
  const second = expiresAt - FEEDBACK_WINDOW
  decision.redeemed = [Math.max(second, decision.redeemed[0]), Math.min(second + 0.999_999, decision.redeemed[1])]
  if (before) return
  const event = { site, decision, fields, revision }
  decision.events.push(event)
  state.events.push(event)
}

export async function askGrant(
  world: World,
  state: State,
  site: Site,
  asked: { decision_id: string; session?: string; ttl?: number; uses?: number },
): Promise<void> {
  const { ttl = 900, uses = 1 } = asked
  const answer = await world.ask({ path: '/grants', body: asked, headers: as(site) }, (at) =>
    judgeGrants(state, site, { ...asked, ttl, uses }, at),
  )
  if (answer.outcome !== 'ok') return
  const decision = state.decisions.find((one) => one.id === asked.decision_id)
  assert.ok(decision)
  const grant: Grant = decision.grant ?? {
    id: String(answer.body['grant_id']),
    decision,
    session: decision.intent.fields.session,
    ttlAsked: ttl,
    usesAsked: uses,
    uses: Math.min(uses, site.maxUses),
    used: 0,
    expiresAt: Number(answer.body['expires_at']),
    revoked: false,
  }
  assert.match(grant.id, UUID)
  assert.equal(answer.text, JSON.stringify({ grant_id: grant.id, expires_at: grant.expiresAt, uses: grant.uses }))
  if (decision.grant) return
  assert.ok(secondsIn([answer.sent, answer.received], Math.min(ttl, site.maxTtl)).includes(grant.expiresAt))
  decision.grant = grant
  state.grants.push(grant)
}

export async function revoke(
  world: World,
  state: State,
  site: Site,
  asked: { grant_id?: string; session?: string },
): Promise<void> {
  const answer = await world.ask({ path: '/grants/revoke', body: asked, headers: as(site) }, () =>
    judgeRevoke(state, site, asked),
  )
  if (answer.outcome !== 'ok') return
  const living = (meantGrants(state, site, asked) ?? []).filter((grant) => !grant.revoked)
  assert.equal(answer.text, JSON.stringify({ revoked: living.length }))
  for (const grant of living) grant.revoked = true
}

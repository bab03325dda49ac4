import fc from 'fast-check'
import { openIntent, redeem } from '../merchant.ts'
import { solve, takeChallenge } from '../visitor.ts'
import {
  ACTIONS,
  always,
  fieldsOf,
  HOSTNAMES,
  intentFields,
  KEYS,
  mostly,
  originOf,
  origins,
  pick,
  recent,
  SESSIONS,
  siteOf,
  some,
  step,
  UNKNOWN_ID,
} from './step.ts'

/** The steps of a verification: intents, challenges, tokens and redemptions. */

export const open = step(
  'open',
  fc.record({ site: some, fields: intentFields }),
  always,
  (world, state, { site, fields }) => openIntent(world, state, pick(state.sites, site), fieldsOf(fields)),
)

export const repeatIntent = step(
  'repeat intent',
  fc.record({ intent: some, changes: mostly({}, fc.record({ action: fc.constantFrom(...ACTIONS) })) }),
  (state) => state.intents.length > 0,
  (world, state, { intent, changes }) => {
    const { site, fields } = recent(state.intents, intent)
    return openIntent(world, state, site, { ...fields, ...changes })
  },
)

export const challenge = step(
  'challenge',
  fc.record({
    intent: some,
    site: mostly('own' as const, some),
    origin: origins,
    known: mostly(true, fc.constant(false)),
  }),
  (state) => state.intents.length > 0,
  (world, state, { intent: n, site, origin, known }) => {
    const intent = recent(state.intents, n)
    return takeChallenge(world, state, {
      site: known ? siteOf(state, intent.site, site) : undefined,
      intentId: intent.id,
      origin: originOf(intent.fields.hostname, origin),
    })
  },
)

export const answer = step(
  'solve',
  fc.record({
    challenge: some,
    site: mostly('own' as const, some),
    intent: mostly('own' as const, some),
    origin: origins,
    sealed: mostly(true, fc.constant(false)),
    wrong: mostly(0, fc.constantFrom(1, 12)),
    late: mostly(0, fc.constantFrom(119, 121)),
  }),
  (state) => state.challenges.length > 0,
  async (world, state, { challenge: n, site, intent: m, origin, sealed, wrong, late }) => {
    if (late > 0) await world.pass(state, late)
    const challenge = recent(state.challenges, n)
    const intent = m === 'own' ? challenge.intent : pick(state.intents, m)
    const visit = {
      site: siteOf(state, intent.site, site),
      intentId: intent.id,
      origin: originOf(intent.fields.hostname, origin),
    }
    // each wrong one invalidates the earlier challenges, so one of several wrong ones gets another refusal
    for (let i = 0, given = challenge; i < wrong; i++) {
      await solve(world, state, visit, given, false)
      if (i === 5) continue
      const own = { site: intent.site, intentId: intent.id, origin: originOf(intent.fields.hostname, 'own') }
      await takeChallenge(world, state, own)
      given = state.challenges.findLast((each) => each.intent === intent) ?? given
    }
    if (wrong === 0) await solve(world, state, visit, sealed ? challenge : undefined, true)
  },
)

/** The usual case: an intent and its token, and perhaps the redemption. */
export const earn = step(
  'earn',
  fc.record({ site: some, fields: intentFields, redeemed: fc.boolean(), key: fc.constantFrom(...KEYS) }),
  always,
  async (world, state, { site: n, fields, redeemed, key }) => {
    const site = pick(state.sites, n)
    const before = state.intents.length
    await openIntent(
      world,
      state,
      site,
      fieldsOf({ ...fields, hostname: 'shop.example', session: fields.session ?? SESSIONS[0] }),
    )
    const intent = state.intents[before]
    if (!intent) return
    const visit = { site, intentId: intent.id, origin: `https://${intent.fields.hostname}` }
    await takeChallenge(world, state, visit)
    const challenge = state.challenges.at(-1)
    if (challenge?.intent === intent) await solve(world, state, visit, challenge, true)
    const token = state.tokens.at(-1)
    if (redeemed && token?.intent === intent)
      await redeem(world, state, site, intent.id, {
        response: token.text,
        action: intent.fields.action,
        hostname: intent.fields.hostname,
        key,
      })
  },
)

export const verify = step(
  'redeem',
  fc.record({
    token: some,
    site: mostly('own' as const, some),
    intent: mostly('own' as const, some),
    forged: mostly(false, fc.constant(true)),
    action: mostly('own' as const, fc.constantFrom(...ACTIONS)),
    hostname: mostly('own' as const, fc.constantFrom(...HOSTNAMES)),
    key: fc.constantFrom(...KEYS),
  }),
  (state) => state.tokens.length > 0,
  (world, state, { token: n, site, intent: m, forged, action, hostname, key }) => {
    const token = recent(state.tokens, n)
    const intent = m === 'own' ? token.intent : pick(state.intents, m)
    return redeem(world, state, siteOf(state, intent.site, site), intent.id, {
      response: forged ? `${token.text}A` : token.text,
      action: action === 'own' ? intent.fields.action : action,
      hostname: hostname === 'own' ? intent.fields.hostname : hostname,
      key,
    })
  },
)

export const repeatRedemption = step(
  'repeat redemption',
  some,
  (state) => state.decisions.length > 0,
  (world, state, n) => {
    const { intent, asked } = recent(state.decisions, n)
    return redeem(world, state, intent.site, intent.id, asked)
  },
)

export const spend = step(
  'spend',
  fc.record({
    grant: some,
    site: mostly('own' as const, some),
    fields: intentFields,
    session: mostly('own' as const, fc.constantFrom('none' as const, ...SESSIONS)),
    known: mostly(true, fc.constant(false)),
  }),
  (state) => state.grants.length > 0,
  (world, state, { grant: n, site, fields, session, known }) => {
    const grant = recent(state.grants, n)
    return openIntent(
      world,
      state,
      siteOf(state, grant.decision.intent.site, site),
      fieldsOf({
        ...fields,
        session: session === 'own' ? grant.session : session === 'none' ? undefined : session,
        trusted_grant_id: known ? grant.id : UNKNOWN_ID,
      }),
    )
  },
)

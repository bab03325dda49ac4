import fc from 'fast-check'
import { openPermit, redeem } from '../merchant.ts'
import { solve, takeChallenge } from '../visitor.ts'
import {
  ACTIONS,
  always,
  fieldsOf,
  HOSTNAMES,
  KEYS,
  mostly,
  NOBODYS,
  originOf,
  origins,
  permitFields,
  pick,
  recent,
  SESSIONS,
  siteOf,
  some,
  step,
} from './step.ts'

/** The road: permits, challenges, tokens and redemptions. */

export const open = step(
  'open',
  fc.record({ site: some, fields: permitFields }),
  always,
  (world, state, { site, fields }) => openPermit(world, state, pick(state.sites, site), fieldsOf(fields)),
)

export const repeatPermit = step(
  'repeat permit',
  fc.record({ permit: some, changes: mostly({}, fc.record({ action: fc.constantFrom(...ACTIONS) })) }),
  (state) => state.permits.length > 0,
  (world, state, { permit, changes }) => {
    const { site, fields } = recent(state.permits, permit)
    return openPermit(world, state, site, { ...fields, ...changes })
  },
)

export const challenge = step(
  'challenge',
  fc.record({
    permit: some,
    site: mostly('own' as const, some),
    origin: origins,
    known: mostly(true, fc.constant(false)),
  }),
  (state) => state.permits.length > 0,
  (world, state, { permit: n, site, origin, known }) => {
    const permit = recent(state.permits, n)
    return takeChallenge(world, state, {
      site: known ? siteOf(state, permit.site, site) : undefined,
      intentId: permit.id,
      origin: originOf(permit.fields.hostname, origin),
    })
  },
)

export const answer = step(
  'solve',
  fc.record({
    challenge: some,
    site: mostly('own' as const, some),
    permit: mostly('own' as const, some),
    origin: origins,
    sealed: mostly(true, fc.constant(false)),
    wrong: mostly(0, fc.constantFrom(1, 11)),
    late: mostly(0, fc.constantFrom(119, 121)),
  }),
  (state) => state.challenges.length > 0,
  async (world, state, { challenge: n, site, permit: m, origin, sealed, wrong, late }) => {
    if (late > 0) await world.pass(state, late)
    const challenge = recent(state.challenges, n)
    const permit = m === 'own' ? challenge.permit : pick(state.permits, m)
    const visit = {
      site: siteOf(state, permit.site, site),
      intentId: permit.id,
      origin: originOf(permit.fields.hostname, origin),
    }
    for (let i = 0; i < wrong; i++) await solve(world, state, visit, challenge, false)
    if (wrong === 0) await solve(world, state, visit, sealed ? challenge : undefined, true)
  },
)

/** The straight road: a permit and its token, and perhaps the redemption. */
export const earn = step(
  'earn',
  fc.record({ site: some, fields: permitFields, redeemed: fc.boolean(), key: fc.constantFrom(...KEYS) }),
  always,
  async (world, state, { site: n, fields, redeemed, key }) => {
    const site = pick(state.sites, n)
    const before = state.permits.length
    await openPermit(
      world,
      state,
      site,
      fieldsOf({ ...fields, hostname: 'shop.example', session: fields.session ?? SESSIONS[0] }),
    )
    const permit = state.permits[before]
    if (!permit) return
    const visit = { site, intentId: permit.id, origin: `https://${permit.fields.hostname}` }
    await takeChallenge(world, state, visit)
    const challenge = state.challenges.at(-1)
    if (challenge?.permit === permit) await solve(world, state, visit, challenge, true)
    const token = state.tokens.at(-1)
    if (redeemed && token?.permit === permit)
      await redeem(world, state, site, permit.id, {
        response: token.text,
        action: permit.fields.action,
        hostname: permit.fields.hostname,
        key,
      })
  },
)

export const verify = step(
  'redeem',
  fc.record({
    token: some,
    site: mostly('own' as const, some),
    permit: mostly('own' as const, some),
    forged: mostly(false, fc.constant(true)),
    action: mostly('own' as const, fc.constantFrom(...ACTIONS)),
    hostname: mostly('own' as const, fc.constantFrom(...HOSTNAMES)),
    key: fc.constantFrom(...KEYS),
  }),
  (state) => state.tokens.length > 0,
  (world, state, { token: n, site, permit: m, forged, action, hostname, key }) => {
    const token = recent(state.tokens, n)
    const permit = m === 'own' ? token.permit : pick(state.permits, m)
    return redeem(world, state, siteOf(state, permit.site, site), permit.id, {
      response: forged ? `${token.text}A` : token.text,
      action: action === 'own' ? permit.fields.action : action,
      hostname: hostname === 'own' ? permit.fields.hostname : hostname,
      key,
    })
  },
)

export const repeatRedemption = step(
  'repeat redemption',
  some,
  (state) => state.decisions.length > 0,
  (world, state, n) => {
    const { permit, asked } = recent(state.decisions, n)
    return redeem(world, state, permit.site, permit.id, asked)
  },
)

export const spend = step(
  'spend',
  fc.record({
    grant: some,
    site: mostly('own' as const, some),
    fields: permitFields,
    session: mostly('own' as const, fc.constantFrom('none' as const, ...SESSIONS)),
    known: mostly(true, fc.constant(false)),
  }),
  (state) => state.grants.length > 0,
  (world, state, { grant: n, site, fields, session, known }) => {
    const grant = recent(state.grants, n)
    return openPermit(
      world,
      state,
      siteOf(state, grant.decision.permit.site, site),
      fieldsOf({
        ...fields,
        session: session === 'own' ? grant.session : session === 'none' ? undefined : session,
        trusted_grant_id: known ? grant.id : NOBODYS,
      }),
    )
  },
)

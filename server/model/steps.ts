import fc from 'fast-check'
import { askGrant, openPermit, redeem, report, revoke } from './merchant.ts'
import type { PermitFields, Site, State } from './state.ts'
import { solve, takeChallenge } from './visitor.ts'
import type { World } from './world.ts'

/** The names that sequences use: few, so that they meet. The last hostname is on no site's list. */
const ACTIONS = ['checkout', 'signup'] as const
export const HOSTNAMES = ['shop.example', 'www.shop.example', 'evil.example'] as const
const SESSIONS = ['a'.repeat(64), 'b'.repeat(64)] as const
const NONCES = ['nonce-nonce-0000', 'nonce-nonce-0001', 'nonce-nonce-0002', 'nonce-nonce-0003'] as const
const KEYS = ['key-key-key-0000', 'key-key-key-0001'] as const
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const EVENTS = [uuid(1), uuid(2), uuid(3)] as const
const NOBODYS = uuid(999)

/** Around the windows: limits (60), challenge (120), permit (300), replay and grant (600), feedback (7 days), and a grant's life. */
const JUMPS = [1, 60, 119, 121, 299, 301, 599, 601, 899, 901, 604_799, 604_801] as const

type Step = fc.AsyncCommand<State, World>

/** A step, which is taken only where its parts exist. */
function step<Data>(
  name: string,
  data: fc.Arbitrary<Data>,
  ready: (state: State) => boolean,
  run: (world: World, state: State, data: Data) => Promise<void>,
): fc.Arbitrary<Step> {
  return data.map((chosen) => ({
    check: ready,
    run: (state, world) => run(world, state, chosen),
    toString: () => `${name} ${JSON.stringify(chosen)}`,
  }))
}

const always = () => true
const some = fc.nat({ max: 31 })
/** Mostly the one that fits, sometimes another. */
const mostly = <T, U>(usual: T, rare: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare })

function pick<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}
/** Rather the latest ones: sequences go deep that way. */
const recent = <T>(list: readonly T[], n: number): T => pick(list, list.length - 1 - (n % Math.min(3, list.length)))

const siteOf = (state: State, own: Site, other: number | 'own'): Site =>
  other === 'own' ? own : pick(state.sites, other)

const permitFields = fc.record({
  action: fc.constantFrom(...ACTIONS),
  nonce: fc.oneof(fc.constantFrom(...NONCES), fc.uuid()),
  hostname: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('shop.example', 'www.shop.example') },
    fc.constant('evil.example'),
  ),
  session: fc.option(fc.constantFrom(...SESSIONS), { nil: undefined }),
  subject: fc.option(fc.constantFrom(...SESSIONS), { nil: undefined, freq: 2 }),
})

const fieldsOf = (fields: { [K in keyof PermitFields]: PermitFields[K] | undefined }): PermitFields =>
  JSON.parse(JSON.stringify(fields)) as PermitFields

const originOf = (hostname: string, origin: string | null): string | undefined =>
  origin === 'own' ? `https://${hostname}` : (origin ?? undefined)

const origins = mostly(
  'own' as const,
  fc.constantFrom('https://evil.example', 'https://www.shop.example', 'null', null),
)

const open = step('open', fc.record({ site: some, fields: permitFields }), always, (world, state, { site, fields }) =>
  openPermit(world, state, pick(state.sites, site), fieldsOf(fields)),
)

const repeatPermit = step(
  'repeat permit',
  fc.record({ permit: some, changes: mostly({}, fc.record({ action: fc.constantFrom(...ACTIONS) })) }),
  (state) => state.permits.length > 0,
  (world, state, { permit, changes }) => {
    const { site, fields } = recent(state.permits, permit)
    return openPermit(world, state, site, { ...fields, ...changes })
  },
)

const challenge = step(
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

const answer = step(
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
const earn = step(
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

const verify = step(
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

const repeatRedemption = step(
  'repeat redemption',
  some,
  (state) => state.decisions.length > 0,
  (world, state, n) => {
    const { permit, asked } = recent(state.decisions, n)
    return redeem(world, state, permit.site, permit.id, asked)
  },
)

const feedback = step(
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
    return report(world, state, siteOf(state, decision.permit.site, site), {
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

const repeatFeedback = step(
  'repeat feedback',
  fc.record({ event: some, outcome: mostly('own' as const, fc.constantFrom('legitimate', 'unknown')) }),
  (state) => state.events.length > 0,
  (world, state, { event: n, outcome }) => {
    const { site, fields } = recent(state.events, n)
    return report(world, state, site, { ...fields, ...(outcome === 'own' ? {} : { outcome }) })
  },
)

const grant = step(
  'grant',
  fc.record({
    decision: some,
    site: mostly('own' as const, some),
    session: mostly('own' as const, fc.constantFrom(...SESSIONS)),
    ttl: fc.constantFrom(undefined, 60, 900, 3600),
    uses: fc.constantFrom(undefined, 1, 3),
  }),
  (state) => state.decisions.length > 0,
  (world, state, { decision: n, site, session, ttl, uses }) => {
    const decision = recent(state.decisions, n)
    return askGrant(world, state, siteOf(state, decision.permit.site, site), {
      decision_id: decision.id,
      session: session === 'own' ? (decision.permit.fields.session ?? SESSIONS[0]) : session,
      ...(ttl === undefined ? {} : { ttl }),
      ...(uses === undefined ? {} : { uses }),
    })
  },
)

const spend = step(
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

const revocation = step(
  'revoke',
  fc.record({
    grant: some,
    site: mostly('own' as const, some),
    by: fc.constantFrom('id', 'session', 'both', 'neither', 'nobodys'),
  }),
  (state) => state.grants.length > 0,
  (world, state, { grant: n, site, by }) => {
    const { id, session, decision } = recent(state.grants, n)
    return revoke(world, state, siteOf(state, decision.permit.site, site), {
      ...(by === 'id' || by === 'both' ? { grant_id: id } : by === 'nobodys' ? { grant_id: NOBODYS } : {}),
      ...(by === 'session' || by === 'both' ? { session } : {}),
    })
  },
)

const passTime = step(
  'time',
  fc.constantFrom(...JUMPS),
  (state) => state.permits.length > 0,
  (world, state, seconds) => world.pass(state, seconds),
)

const pause = step(
  'pause',
  fc.record({ site: some, paused: fc.boolean() }),
  (state) => state.permits.length > 0,
  async (world, state, { site: n, paused }) => {
    const site = pick(state.sites, n)
    site.paused = paused
    await world.operations.pauseSite(keysOf(site), paused)
  },
)

const suspend = step(
  'suspend',
  fc.record({ tenant: some, suspended: fc.boolean() }),
  (state) => state.permits.length > 0,
  async (world, state, { tenant: n, suspended }) => {
    const tenant = pick(state.tenants, n)
    tenant.suspended = suspended
    await world.operations.suspendTenant(tenant.id, suspended)
  },
)

const policy = step(
  'grants policy',
  fc.record({ site: some, grants: fc.boolean(), maxTtl: fc.constantFrom(60, 3600), maxUses: fc.constantFrom(1, 10) }),
  (state) => state.decisions.length > 0,
  async (world, state, { site: n, grants, maxTtl, maxUses }) => {
    const site = Object.assign(pick(state.sites, n), { grants, maxTtl, maxUses })
    await world.operations.setGrants(keysOf(site), { grants, maxTtl, maxUses })
  },
)

const hostnames = step(
  'hostname',
  fc.record({ site: some, allowed: fc.boolean() }),
  (state) => state.permits.length > 0,
  async (world, state, { site: n, allowed }) => {
    const site = pick(state.sites, n)
    const hostname = 'www.shop.example'
    if (allowed === site.hostnames.has(hostname)) return
    if (allowed) site.hostnames.add(hostname)
    else site.hostnames.delete(hostname)
    await world.operations.allowHostname(keysOf(site), hostname, allowed)
  },
)

const quota = step(
  'quota',
  fc.record({ tenant: some, units: fc.constantFrom(0, 1, 2, 1000), balance: fc.constantFrom(0, 0, 1) }),
  always,
  async (world, state, { tenant: n, units, balance }) => {
    const tenant = pick(state.tenants, n)
    tenant.included = units
    tenant.balance += balance
    await world.operations.setQuota(tenant.id, units)
    if (balance > 0) await world.operations.topUp(tenant.id, balance)
  },
)

const ENDPOINTS = ['/intents', '/siteverify', '/feedback', '/grants', '/grants/revoke'] as const

/** Who cannot prove a secret is told so, whatever else is asked; who sends one in the body is told that first. */
const unauthorized = step(
  'no key',
  fc.record({
    path: fc.constantFrom(...ENDPOINTS),
    secret: fc.constantFrom(undefined, `tg_secret_${'0'.repeat(49)}`, 'nonsense'),
    body: fc.constantFrom('{}', '{"secret":"x"}', '{'),
    address: fc.nat({ max: 0xffffff }),
  }),
  always,
  async (world, _state, { path, secret, body, address }) => {
    const headers: Record<string, string> = {
      'x-forwarded-for': `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
    }
    await world.ask({ path, body, headers }, () =>
      body === '{' ? 'bad-request' : body === '{}' ? 'unauthorized' : 'secret-in-body',
    )
  },
)

const keysOf = (site: Site) => ({
  tenantId: site.tenant.id,
  siteId: site.id,
  sitekey: site.sitekey,
  secret: site.secret,
})

/** The steps of a sequence; those of the road come more often. */
export const STEPS: fc.Arbitrary<Step>[] = [
  earn,
  earn,
  earn,
  open,
  repeatPermit,
  challenge,
  answer,
  verify,
  verify,
  repeatRedemption,
  feedback,
  feedback,
  repeatFeedback,
  grant,
  grant,
  spend,
  spend,
  revocation,
  passTime,
  passTime,
  pause,
  suspend,
  policy,
  hostnames,
  quota,
  unauthorized,
]

import fc from 'fast-check'
import { always, keysOf, pick, some, step } from './step.ts'

/** Time, changes that people make, and callers without a valid key. */

/** Times around the windows: limits (60), challenge (120), intent (300), replay and grant (600), feedback (7 days), and a grant's life. */
const JUMPS = [1, 60, 119, 121, 299, 301, 599, 601, 899, 901, 604_799, 604_801] as const

export const passTime = step(
  'time',
  fc.constantFrom(...JUMPS),
  (state) => state.intents.length > 0,
  (world, state, seconds) => world.pass(state, seconds),
)

export const pause = step(
  'pause',
  fc.record({ site: some, paused: fc.boolean() }),
  (state) => state.intents.length > 0,
  async (world, state, { site: n, paused }) => {
    const site = pick(state.sites, n)
    site.paused = paused
    await world.operations.pauseSite(keysOf(site), paused)
  },
)

export const suspend = step(
  'suspend',
  fc.record({ tenant: some, suspended: fc.boolean() }),
  (state) => state.intents.length > 0,
  async (world, state, { tenant: n, suspended }) => {
    const tenant = pick(state.tenants, n)
    tenant.suspended = suspended
    await world.operations.suspendTenant(tenant.id, suspended)
  },
)

export const policy = step(
  'grants policy',
  fc.record({
    site: some,
    grants: fc.boolean(),
    maxTtl: fc.constantFrom(60, 3600),
    maxUses: fc.constantFrom(1, 10),
    renewal: fc.constantFrom(0, 86_400),
  }),
  (state) => state.decisions.length > 0,
  async (world, state, { site: n, ...set }) => {
    const site = Object.assign(pick(state.sites, n), set)
    await world.operations.setGrants(keysOf(site), set)
  },
)

export const hostnames = step(
  'hostname',
  fc.record({ site: some, allowed: fc.boolean() }),
  (state) => state.intents.length > 0,
  async (world, state, { site: n, allowed }) => {
    const site = pick(state.sites, n)
    const hostname = 'www.shop.example'
    if (allowed === site.hostnames.has(hostname)) return
    if (allowed) site.hostnames.add(hostname)
    else site.hostnames.delete(hostname)
    await world.operations.allowHostname(keysOf(site), hostname, allowed)
  },
)

export const quota = step(
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

/** A request without a valid secret gets `unauthorized` whatever else it contains; a secret in the body is reported first. */
export const unauthorized = step(
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

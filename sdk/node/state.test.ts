import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../server/contract/scopes.ts'
import { cidrText, parseCidr } from '../../server/kit/http/address.ts'
import { callManaged, makeKey } from '../../test/support/manage.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { openManage } from './src/manage.ts'
import { type ApplyOptions, applyCommand, exportCommand, type Io, rotateCommand } from './src/stateCommands.ts'
import { canonicalNetwork, parseState } from './src/stateFile.ts'

const app = testApp()
const folder = mkdtempSync(join(tmpdir(), 'tollgate-state-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Result = { code: number; out: string; err: string }
const outcome = async (work: (io: Io) => Promise<number>): Promise<Result> => {
  const result = { code: 0, out: '', err: '' }
  result.code = await work({ out: (text) => (result.out += text), err: (text) => (result.err += text) })
  return result
}

type At = { tenantId: string; createdBy: string }

async function makeOwner(): Promise<At> {
  const { tenant, owner } = await makeOwnedTenant(app)
  return { tenantId: tenant.id, createdBy: owner.userId }
}

/** The commands with a key; a tenant of its own unless another is given. */
async function commands({ of, ...options }: { of?: At; scopes?: Scope[]; sites?: string[] } = {}) {
  const at = of ?? (await makeOwner())
  const { key } = await makeKey(app, at, options)
  const manage = openManage({ url: app.url, key })
  return {
    at,
    call: (name: string, input?: object) => callManaged(app, key, name, input),
    export: () => outcome((io) => exportCommand(manage, io)),
    apply: (text: string, options: ApplyOptions = {}) => {
      const file = join(folder, 'tollgate.yaml')
      writeFileSync(file, text)
      return outcome((io) => applyCommand(manage, file, options, io))
    },
    rotate: (slug: string, overlap?: string, idempotencyKey?: string) =>
      outcome((io) => rotateCommand(manage, slug, { overlap, idempotencyKey }, io)),
  }
}

const FILE = `version: 1
sites:
  shop:
    name: Shop
    hostnames: [shop.example, www.shop.example]
    policy:
      base_work: 2097152
      actions: [{ action: signup, base_work: 4194304, work_mode: fixed }]
    networks:
      - { network: 203.0.113.9/24, verdict: deny, note: Scrapers }
  blog:
    name: Blog
    hostnames: [blog.example]
    paused: true
alerts: [90, 50]
`
const PLAN = `+ site shop "Shop" (shop.example, www.shop.example)
+ site shop: policy.base_work 2097152
+ site shop: policy.actions [{"action":"signup","base_work":4194304,"work_mode":"fixed"}]
+ site shop: network 203.0.113.0/24 deny "Scrapers"
+ site blog "Blog" (blog.example)
~ site blog: paused false → true
~ alerts [80,100] → [50,90]

Plan: 5 to add, 2 to change, 0 to remove.
`

test('a plan says what apply then does, once; what export prints changes nothing here, and makes the same elsewhere', async () => {
  const one = await commands()
  expect(await one.apply(FILE, { plan: true })).toEqual({ code: 2, out: PLAN, err: '' })
  expect((await one.call('sites.list')).body.rows).toEqual([])
  const applied = await one.apply(FILE)
  expect([applied.code, applied.out]).toEqual([0, `${PLAN}\nDone: 5 added, 2 changed, 0 removed.\n`])
  expect(applied.err).toContain('The first secrets were not kept: shop, blog.')
  expect(await one.apply(FILE)).toEqual({ code: 0, out: 'No changes.\n', err: '' })

  const exported = await one.export()
  expect(exported.out).not.toMatch(/secret|tg_/)
  expect(exported.out).toContain('base_work: 2097152')
  expect(await one.apply(exported.out, { plan: true, prune: true })).toMatchObject({ code: 0, out: 'No changes.\n' })
  const two = await commands()
  expect((await two.apply(exported.out)).code).toBe(0)
  expect((await two.export()).out).toBe(exported.out)
})

test('what is left out of a file is not changed, and what is not in it is removed only by --prune', async () => {
  const { apply, call, export: read } = await commands()
  await apply(FILE)
  const less = `version: 1
sites:
  shop:
    name: The shop
    hostnames: [shop.example, new.shop.example]
    policy: { base_work: 1048576 }
    networks: []
`
  const changes = `~ site shop: name Shop → The shop
+ site shop: hostname new.shop.example
~ site shop: policy.base_work 2097152 → 1048576
`
  const removals = `- site shop: hostname www.shop.example
- site shop: network 203.0.113.0/24
- site blog
`
  expect((await apply(less)).out).toBe(
    `${changes}\nPlan: 1 to add, 2 to change, 0 to remove.\n\n--prune would also remove:\n${removals}\nDone: 1 added, 2 changed, 0 removed.\n`,
  )
  expect(await apply(less, { plan: true })).toMatchObject({ code: 0, out: expect.stringMatching(/^No changes\.\n/) })
  expect(await apply(less, { plan: true, prune: true })).toMatchObject({
    code: 2,
    out: `${removals}\nPlan: 0 to add, 0 to change, 3 to remove.\n`,
  })
  expect((await apply(less, { prune: true })).code).toBe(0)
  const { rows } = (await call('sites.list')).body
  expect(rows).toMatchObject([{ slug: 'shop', name: 'The shop', hostnames: ['new.shop.example', 'shop.example'] }])
  const { out } = await read()
  expect(parseState(out, '')).toMatchObject({
    sites: { shop: { networks: [], policy: { actions: [{ action: 'signup' }] } } },
    alerts: [50, 90],
  })
})

test('of two that apply the same file at once, with one key or two, each ends with what the file says, once', async () => {
  const one = await commands()
  const two = await commands({ of: one.at })
  const results = await Promise.all([one.apply(FILE), two.apply(FILE), two.apply(FILE)])
  expect(results.map(({ code, err }) => (code === 0 ? '' : err))).toEqual(['', '', ''])
  expect((await one.apply(FILE, { plan: true, prune: true })).out).toBe('No changes.\n')
  const { rows } = (await one.call('sites.list')).body
  expect(rows.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(['blog', 'shop'])
})

test('a step that fails is reported with what was done and what was not', async () => {
  const { apply } = await commands()
  const text = FILE.replace('203.0.113.9/24', '10.0.0.0/4')
  const { code, err } = await apply(text)
  expect(code).toBe(1)
  expect(err).toMatch(
    /^\nThis failed:\n\+ site shop: network 0\.0\.0\.0\/4 deny "Scrapers"\n {2}POST \/v1\/sites\/\S+\/networks: 422 /,
  )
  const [, done = '', left = ''] = err.split(/Done before it:\n|Not done:\n/)
  expect(done).toContain('+ site shop: policy.base_work 2097152\n')
  expect(left).toContain('+ site blog "Blog" (blog.example)\n~ site blog: paused false → true\n~ alerts')
  expect((await apply(FILE)).out).toMatch(/^\+ site shop: network 203\.0\.113\.0\/24 deny "Scrapers"\n\+ site blog/)
})

test('the first secrets are written only where --secrets says, and rotate prints the new one only', async () => {
  const { apply, call, rotate } = await commands()
  const secrets = join(folder, 'secrets.yaml')
  const { out, err } = await apply(FILE, { secrets })
  expect(out + err).not.toContain('tg_secret_')
  expect(statSync(secrets).mode & 0o777).toBe(0o600)
  expect(readFileSync(secrets, 'utf8')).toMatch(/^shop: tg_secret_\w{49}\nblog: tg_secret_\w{49}\n$/)
  const rotated = await rotate('shop', '3600', 'run-1')
  expect(await rotate('shop', '3600', 'run-1')).toEqual(rotated)
  expect(rotated).toEqual({ code: 0, out: expect.stringMatching(/^tg_secret_\w{49}\n$/), err: '' })
  const [{ id }] = (await call('sites.list')).body.rows
  const { rows } = (await call('secrets.list', { site: id })).body
  expect(rows.map(({ state }: { state: string }) => state).toSorted()).toEqual(['ending', 'live'])
  await expect(rotate('shop')).rejects.toThrow('--overlap has to be a number of seconds from 0 to 2592000 (30 days)')
  await expect(rotate('shoe', '0')).rejects.toThrow(
    'no site with the slug shoe, or the key is not for it. The sites are: shop, blog.',
  )
})

test('a key for some sites applies those, and says what it skips', async () => {
  const { at, apply, call } = await commands()
  await apply(FILE)
  const shop = (await call('sites.list')).body.rows.find(({ slug }: { slug: string }) => slug === 'shop')
  const bound = await commands({ of: at, sites: [shop.id] })
  const { code, out, err } = await bound.apply(
    FILE.replace('2097152', '3145728').replace('Blog', 'Other').replace('alerts: [90', 'alerts: [80'),
  )
  expect([code, err]).toEqual([0, 'This key is for some sites only. Skipped: site blog, alerts.\n'])
  expect(out).toMatch(/^~ site shop: policy\.base_work 2097152 → 3145728\n\nPlan: 0 to add, 1 to change/)
  const exported = await bound.export()
  expect(exported.err).toContain(
    'The file has no alerts: GET /v1/usage/alerts: 403 This API key is for some sites only.',
  )
  expect(Object.keys(parseState(exported.out, '').sites ?? {})).toEqual(['shop'])
})

test('a key without a scope says which, and nothing was done', async () => {
  const { at, apply, call } = await commands()
  const reader = await commands({ of: at, scopes: ['sites:read', 'traffic:read'] })
  expect(await reader.apply(FILE, { plan: true })).toMatchObject({ code: 2, out: PLAN })
  expect(await reader.apply(FILE)).toMatchObject({
    code: 1,
    err: expect.stringContaining('needs the scope sites:write'),
  })
  await apply(FILE)
  const writer = await commands({ of: at, scopes: ['sites:write'] })
  await expect(writer.apply(FILE)).rejects.toThrow('needs the scope sites:read')
  expect((await call('sites.list')).body.rows).toHaveLength(2)
})

describe('a file that cannot be used is refused with lines', () => {
  test.each([
    ['version: 2', 'f:1: version has to be 1.'],
    ['', 'f:1: the file has to be a mapping of names to values.'],
    ['version: 1\nsite: {}', 'f:2: site is not a field. Did you mean sites?'],
    ['version: 1\nversion: 1', 'f:2: Map keys must be unique'],
    [
      'version: 1\nsites:\n  Shop: {}',
      'f:3: sites.Shop has to be a slug: at most 40 lower-case letters, digits and inner hyphens.',
    ],
    [
      'version: 1\nsites:\n  shop:\n    name: A',
      'f:3: sites.shop lacks hostnames, a list of at least 1 and at most 200 items.',
    ],
    [
      'version: 1\nsites:\n  shop:\n    name: A\n    hostnames:\n      - a.example\n      - https://a',
      'f:7: sites.shop.hostnames.1 has to be a hostname in lower case, without scheme, port and path.',
    ],
    [
      'version: 1\nsites:\n  a: &a\n    name: A\n    hostnames: [a.example]\n    policy:\n      base_work: 1\n      base_wrk: 5',
      'f:7: sites.a.policy.base_work has to be a whole number, at least 1024 and at most 6291456.\nf:8: sites.a.policy.base_wrk is not a field. Did you mean base_work?',
    ],
    ['version: 1\nalerts: [60]', 'f:2: alerts.0 has to be one of 50, 80, 90, 100.'],
    [
      'version: 1\nsites:\n  a:\n    name: A\n    hostnames: [a.example]\n    networks:\n    - { network: 10.0.0.1/8, verdict: deny }\n    - { network: 10.0.0.0/8, verdict: allow }\n    - { network: x, verdict: deny }',
      'f:9: sites.a.networks.2.network has to be an address or a range, such as 203.0.113.0/24 or 2001:db8::/32.\nf:8: sites.a.networks.1 repeats 10.0.0.0/8. Keep one of them.',
    ],
  ])('%j', (text, message) => {
    expect(() => parseState(text, 'f')).toThrow(message)
  })
})

test('the file of the guide is valid', () => {
  const [, text = ''] = /^```yaml\n(version: 1\n[\s\S]*?)^```$/m.exec(readFileSync('docs/manage.md', 'utf8')) ?? []
  expect(parseState(text, 'manage.md')).toMatchObject({ sites: { shop: { policy: { base_work: 2097152 } } } })
})

test('networks are written as the service writes them', () => {
  const length = fc.option(fc.integer({ min: 0, max: 128 }), { nil: undefined })
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), length, (address, bits) => {
      const text = bits === undefined ? address : `${address}/${bits}`
      const cidr = parseCidr(text)
      // IPv4 that is written as IPv6 is refused
      const isRefused = address.includes(':') && (address.includes('.') || cidr?.family === 4)
      expect(canonicalNetwork(text)).toBe(isRefused ? undefined : cidr && cidrText(cidr))
    }),
  )
})

import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { badValuesOf, HMAC, UUID } from '../../test/support/badValues.ts'
import { newNonce } from '../../test/support/client.ts'
import { testApp, testSite } from '../../test/support/testApp.ts'
import { renderGuide } from './docs/guide.ts'

/** Every invalid input at every endpoint: its status, its exact body, and that nothing was written. */

const app = testApp()
const site = testSite(app)
const other = testSite(app)
/** Of the known intent, from before it was redeemed. */
let challenge: string
let known: Record<string, string>
let foreign: Record<string, string>
beforeAll(async () => {
  const session = HMAC
  known = await app.client.earn(site, { session })
  foreign = await app.client.earn(other, { session })
  challenge = String((await app.client.challenge(site, known['intent_id'])).body['challenge'])
  expect((await app.client.siteverify(site, known)).status).toBe(200)
  expect((await app.client.siteverify(other, foreign)).status).toBe(200)
})

const ORIGIN = { origin: 'https://shop.example' }

type Endpoint = '/intents' | '/siteverify' | '/feedback' | '/grants' | '/grants/revoke' | '/challenge' | '/solve'
type Fields = Record<string, unknown>

const decision = (earned: Record<string, string>) => `dec_${earned['intent_id']?.replaceAll('-', '')}`

/** A body that the endpoint would accept (or refuse only for its state). */
const valid: Record<Endpoint, () => Fields> = {
  '/intents': () => ({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example', session: HMAC, subject: HMAC }),
  '/siteverify': () => ({ ...known, idempotency_key: newNonce() }),
  '/feedback': () => ({
    decision_id: decision(known),
    event_id: randomUUID(),
    outcome: 'legitimate',
    business_type: 'order',
    occurred_at: 1,
    supersedes_event_id: UUID,
  }),
  '/grants': () => ({
    decision_id: decision(known),
    session: createHash('sha256').update('other').digest('hex'),
    ttl: 60,
    uses: 1,
  }),
  '/grants/revoke': () => ({ session: HMAC }),
  '/challenge': () => ({ sitekey: site.sitekey, intent_id: known['intent_id'] }),
  '/solve': () => ({ sitekey: site.sitekey, intent_id: known['intent_id'], challenge: 'AAAA', solution: 'AAAA' }),
}
const ENDPOINTS = Object.keys(valid) as Endpoint[]
const COMPONENT: ReadonlySet<Endpoint> = new Set(['/challenge', '/solve'])

const FIELDS: Record<Endpoint, { name: string; grammar: string; optional?: true }[]> = {
  '/intents': [
    { name: 'action', grammar: 'name' },
    { name: 'nonce', grammar: 'key' },
    { name: 'hostname', grammar: 'hostname' },
    { name: 'session', grammar: 'hmac', optional: true },
    { name: 'subject', grammar: 'hmac', optional: true },
    { name: 'trusted_grant_id', grammar: 'uuid', optional: true },
  ],
  '/siteverify': [
    { name: 'response', grammar: 'token' },
    { name: 'intent_id', grammar: 'uuid' },
    { name: 'action', grammar: 'name' },
    { name: 'hostname', grammar: 'bare hostname' },
    { name: 'idempotency_key', grammar: 'key' },
  ],
  '/feedback': [
    { name: 'decision_id', grammar: 'decision' },
    { name: 'event_id', grammar: 'uuid' },
    { name: 'outcome', grammar: 'outcome' },
    { name: 'business_type', grammar: 'name' },
    { name: 'occurred_at', grammar: 'seconds' },
    { name: 'supersedes_event_id', grammar: 'uuid', optional: true },
  ],
  '/grants': [
    { name: 'decision_id', grammar: 'decision' },
    { name: 'session', grammar: 'hmac', optional: true },
    { name: 'ttl', grammar: 'ttl', optional: true },
    { name: 'uses', grammar: 'uses', optional: true },
  ],
  '/grants/revoke': [
    { name: 'grant_id', grammar: 'uuid', optional: true },
    { name: 'session', grammar: 'hmac', optional: true },
  ],
  '/challenge': [
    { name: 'sitekey', grammar: 'sitekey' },
    { name: 'intent_id', grammar: 'uuid' },
  ],
  '/solve': [
    { name: 'sitekey', grammar: 'sitekey' },
    { name: 'intent_id', grammar: 'uuid' },
    { name: 'challenge', grammar: 'opaque' },
    { name: 'solution', grammar: 'opaque' },
  ],
}
const written = async () =>
  (
    await app.rows(
      `select (select count(*) from intent) as intents, (select count(*) from decision) as decisions,
        (select count(*) from captcha_grant) as grants,
        (select count(*) from captcha_grant where revoked_at is not null) as revoked, (select count(*) from feedback_event) as events,
        (select sum(used) from quota_period) as used`,
    )
  )[0]

/** The sections and rows of the page that explains errors. */
const explained = new Set(
  [...renderGuide(readFileSync('docs/errors.md', 'utf8')).html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id),
)

async function expectRefusal(
  path: string,
  body: unknown,
  expected: { status: number; body: unknown },
  headers: Record<string, string> = {},
) {
  const before = await written()
  const reply = await app.client.post(path, body, {
    authorization: `Bearer ${site.secret}`,
    ...ORIGIN,
    'x-forwarded-for': randomAddress(),
    ...headers,
  })
  expect({ status: reply.status, body: JSON.parse(reply.text) }).toEqual(expected)
  expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const [, section] = /^<[^>#]*\/docs\/errors#([^>]+)>; rel="help"$/.exec(reply.headers.get('link') ?? '') ?? []
  expect(explained).toContain(section)
  expect(await written()).toEqual(before)
  return reply
}

const randomAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`
const field = (name: string) => ({ status: 422, body: { error: 'bad-request', field: name } })
const error = (status: number, code: string) => ({ status, body: { error: code } })

const cases = ENDPOINTS.flatMap((path) =>
  FIELDS[path].flatMap(({ name, grammar, optional }) => [
    ...badValuesOf(grammar).map(([what, value]) => ({ path, name, what, value })),
    ...(grammar === 'decision'
      ? [{ path, name, what: 'another site’s decision', value: () => decision(foreign) }]
      : []),
    ...(optional ? [] : [{ path, name, what: 'nothing', value: undefined }]),
  ]),
)

test('the table contains at least 200 rows', () => {
  expect(cases.length).toBeGreaterThanOrEqual(200)
})

describe.each(ENDPOINTS)('%s', (path) => {
  test.each(cases.filter((row) => row.path === path))(
    'refuses $what as $name and writes nothing',
    async ({ name, value }) => {
      await expectRefusal(
        path,
        { ...valid[path](), [name]: typeof value === 'function' ? (value as () => unknown)() : value },
        field(name),
      )
    },
  )

  test.each([
    ['an unknown field', { extra: 1 }, 'extra'],
    ['a known field in other case', { Action: 'checkout' }, 'Action'],
  ])('refuses %s after all known ones', async (_what, extra, name) => {
    await expectRefusal(path, { ...extra, ...valid[path]() }, field(name))
    const [first] = FIELDS[path]
    await expectRefusal(path, { ...extra, ...valid[path](), [first?.name ?? '']: 7 }, field(first?.name ?? ''))
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])('refuses an own key %s', async (name) => {
    await expectRefusal(path, JSON.stringify(valid[path]()).replace('{', `{"${name}":{"x":1},`), field(name))
  })

  test.each([
    ['a number', '7'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['an array', '[]'],
    ['an array of the right object', (body: string) => `[${body}]`],
  ])('%s instead of an object offends the first field', async (_what, text) => {
    await expectRefusal(
      path,
      typeof text === 'string' ? text : text(JSON.stringify(valid[path]())),
      field(FIELDS[path][0]?.name ?? ''),
    )
  })

  test.each([
    ['nothing', ''],
    ['a byte order mark', (body: string) => `\ufeff${body}`],
    ['a trailing comma', (body: string) => body.replace(/}$/, ',}')],
    ['NaN', '{"action":NaN}'],
    ['single quotes', "{'action':'x'}"],
    ['a comment', (body: string) => `${body}//`],
    ['two documents', (body: string) => body + body],
    ['half a document', (body: string) => body.slice(0, -3)],
    ['one name twice', (body: string) => body.replace(/}$/, ',"x":1,"x":2}')],
    ['one name twice, once escaped', (body: string) => body.replace(/}$/, ',"x":1,"\\u0078":2}')],
    ['a nesting of 9', (body: string) => body.replace(/}$/, `,"x":${'['.repeat(8)}${']'.repeat(8)}}`)],
    ['a raw newline in a string', '{"action":"a\nb"}'],
  ])('%s is no JSON', async (_what, text) => {
    await expectRefusal(
      path,
      typeof text === 'string' ? text : text(JSON.stringify(valid[path]())),
      error(400, 'bad-request'),
    )
  })

  test('accepts a nesting of 8', async () => {
    await expectRefusal(
      path,
      JSON.stringify({ ...valid[path](), x: 0 }).replace('"x":0', `"x":${'['.repeat(7)}${']'.repeat(7)}`),
      field('x'),
    )
  })

  test('refuses bytes that are not UTF-8', async () => {
    const before = await written()
    const reply = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ORIGIN },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    })
    expect([reply.status, await reply.text()]).toEqual([400, '{"error":"bad-request"}'])
    expect(await written()).toEqual(before)
  })

  test.each([
    'secret',
    'secret_key',
    'secretKey',
    'SECRET-KEY',
    'api_secret',
    'apiSecret',
    'apikey',
    'API-Key',
    'api_key',
  ])('a field named %s is a secret in the body, before authentication', async (name) => {
    const headers = { authorization: 'Bearer wrong' }
    await expectRefusal(path, { ...valid[path](), [name]: 'x' }, error(422, 'secret-in-body'), headers)
    await expectRefusal(
      path,
      { ...valid[path](), deep: [{ er: { [name]: 1 } }] },
      error(422, 'secret-in-body'),
      headers,
    )
  })

  test('finds a secret in any text at any depth', async () => {
    await expectRefusal(path, { ...valid[path](), note: `my key is ${site.secret}.` }, error(422, 'secret-in-body'))
    await expectRefusal(path, [[{ a: [site.secret] }]], error(422, 'secret-in-body'))
  })

  test('refuses more than 16 KiB, with or without Content-Length', async () => {
    const body = JSON.stringify({ ...valid[path](), x: 'a'.repeat(16 * 1024) })
    await expectRefusal(path, body, error(413, 'payload-too-large'))
    const stream = new Blob([body]).stream()
    const reply = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    })
    expect([reply.status, await reply.text()]).toEqual([413, '{"error":"payload-too-large"}'])
  })

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-8; charset=utf-8'],
    ['application/json; version=1'],
    ['application/json; charset'],
    ['application/json; charset='],
    ['application/json;; charset=utf-8; charset=utf-8;'],
    ['application/json; charset=utf-8 utf-8'],
    [';application/json'],
    ['application/jsonp'],
    ['application/json, application/json'],
    ['multipart/form-data; boundary=x'],
  ])('the media type %s is not supported', async (type) => {
    await expectRefusal(path, valid[path](), error(415, 'unsupported-media-type'), { 'content-type': type })
  })

  test.each([
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="UTF-8"'],
    ['application/json ; charset=UTF-8'],
    ['application/json;'],
    ['application/json ; '],
    ['application/json;;charset=utf-8;'],
    ['application/json; ; charset="utf-8" ; ;'],
  ])('the media type %s is', async (type) => {
    await expectRefusal(path, { ...valid[path](), extra: 1 }, field('extra'), { 'content-type': type })
  })

  test('refuses a compressed body', async () => {
    await expectRefusal(path, valid[path](), error(415, 'unsupported-media-type'), { 'content-encoding': 'gzip' })
  })

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const reply = await fetch(app.url + path, { method })
    expect([reply.status, reply.headers.get('allow'), reply.headers.get('cache-control')]).toEqual([
      405,
      'POST',
      'no-store',
    ])
    expect(await reply.text()).toBe(method === 'HEAD' ? '' : '{"error":"method-not-allowed"}')
  })

  test.each(
    [
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      `${path}%20`,
      `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
      `/api${path}`,
    ].map((wrong) => [wrong]),
  )('%s is not found', async (wrong) => {
    const reply = await app.client.post(wrong, valid[path]())
    expect([reply.status, reply.body]).toEqual([404, { error: 'not-found' }])
  })
})

describe.each([...COMPONENT])('%s, for browsers,', (path) => {
  test.each([
    ['nothing'],
    ['null'],
    ['https://SHOP.example'],
    ['https://shop.example/'],
    ['shop.example'],
    ['ftp://shop.example'],
    ['https://evil.example'],
    ['https://shop.example.evil.example'],
    ['https://shop.example:99999'],
    ['https://user@shop.example'],
  ])('an Origin of %s is refused, and can read that only if it is well formed', async (origin) => {
    const body = path === '/solve' ? { ...valid[path](), challenge } : valid[path]()
    const headers: Record<string, string> = { 'content-type': 'application/json', 'x-forwarded-for': randomAddress() }
    if (origin !== 'nothing') headers['origin'] = origin
    const reply = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect([reply.status, await reply.json()]).toEqual([403, { error: 'origin-not-allowed' }])
    const wellFormed = /^https:\/\/[a-z.]+$/.test(origin)
    expect(reply.headers.get('access-control-allow-origin')).toBe(wellFormed ? origin : null)
  })

  test('refuses an intent of another site', async () => {
    await expectRefusal(path, { ...valid[path](), intent_id: foreign['intent_id'] }, field('intent_id'))
    await expectRefusal(path, { ...valid[path](), intent_id: UUID }, field('intent_id'))
  })

  test('an allowed Origin can read errors too', async () => {
    const reply = await expectRefusal(path, { ...valid[path](), extra: 1 }, field('extra'))
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(reply.headers.get('vary')).toMatch(/origin/i)
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe.each(ENDPOINTS.filter((path) => !COMPONENT.has(path)))('%s, for backends,', (path) => {
  test.each([
    ['no header', '', 'missing'],
    ['another scheme', 'Basic x', 'malformed'],
    ['no space', 'Bearer', 'malformed'],
    ['a typo', 'TYPO', 'unknown'],
    ['an unknown secret', 'Bearer tg_secret_0000000000000000000000000000000000000000000000000', 'unknown'],
    ['a site key', 'Bearer tg_site_00000000000000000000', 'unknown'],
  ])('%s is unauthorized, and the reply says what arrived', async (_what, authorization, received) => {
    const header =
      authorization === 'TYPO'
        ? `Bearer ${site.secret.slice(0, -1)}${site.secret.endsWith('0') ? '1' : '0'}`
        : authorization
    const reply = await expectRefusal(path, valid[path](), error(401, 'unauthorized'), { authorization: header })
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expect(reply.headers.get('tollgate-authorization')).toBe(received)
    expect(reply.headers.get('link')).toBe(`<${app.ctx.config.publicUrl}/docs/errors#unauthorized>; rel="help"`)
  })
})

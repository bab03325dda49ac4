import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { testKeys } from '@tollgate/node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { startShop } from './shop.ts'

// The shop over HTTP, against a Tollgate of which only the replies are real. That it works with the real one is for the
// end-to-end tests to show, and for sdk/kit that it keeps the six acceptance checks.

const { sitekey, secret } = testKeys.pass

type Sent = { path: string; body: Record<string, string> }

let database: TestDatabase
let shop: Awaited<ReturnType<typeof startShop>>
let tollgateUrl: string
let sent: Sent[] = []
let refusal: { path: string; status: number; code: string } | undefined
const logged: string[] = []

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  const body: Record<string, string> = JSON.parse(await text(request))
  sent.push({ path, body })
  const { action, hostname, intent_id } = body
  response.setHeader('x-request-id', 'req_42')
  if (refusal?.path === path) {
    response.writeHead(refusal.status, { 'retry-after': '30' }).end(JSON.stringify({ error: refusal.code }))
  } else if (path === '/intents') {
    response.end(JSON.stringify({ intent_id: randomUUID(), sitekey, action, hostname, expires_at: 1 }))
  } else {
    const decision_id = `dec_${intent_id}`
    response.end(JSON.stringify({ success: true, intent_id, action, hostname, decision_id, assessment: 'passed' }))
  }
}

const tollgate = createServer((request, response) => void answer(request, response))

beforeAll(async () => {
  await new Promise<void>((resolve) => tollgate.listen(0, '127.0.0.1', resolve))
  const address = tollgate.address()
  if (typeof address !== 'object' || address === null) throw new Error('the test service has no port')
  tollgateUrl = `http://127.0.0.1:${address.port}`
  database = await openTestDatabase({ empty: true })
  const log = (event: string, facts: object) => logged.push(JSON.stringify({ event, ...facts }))
  shop = await startShop({
    port: 0,
    host: '127.0.0.1',
    sessionKey: 'a key of the tests alone',
    hostname: 'localhost',
    tollgateUrl,
    sitekey,
    secret,
    databaseUrl: database.url,
    log,
  })
})

afterAll(async () => {
  await shop.close()
  await database.close()
  tollgate.close()
})

beforeEach(() => {
  sent = []
  refusal = undefined
})

type Form = { cookie: string; attempt: string; page: string; intent: string }

async function open(path: string, cookie = ''): Promise<Form> {
  const response = await fetch(shop.url + path, { headers: { cookie } })
  const page = await response.text()
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? cookie, page, ...readForm(page) }
}

function readForm(page: string): { attempt: string; intent: string } {
  const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(page) ?? []
  const [, intent = ''] = /data-intent="([^"]+)"/.exec(page) ?? []
  return { attempt, intent }
}

async function post(path: string, cookie: string, fields: Record<string, string>) {
  const response = await fetch(shop.url + path, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams(fields),
  })
  return { status: response.status, url: response.url, page: await response.text() }
}

function fill({ attempt, intent }: { attempt: string; intent: string }, change: Record<string, string> = {}) {
  const typed = { product: 'saddle', quantity: '2', name: 'Ada <i>', email: 'ada@example.com', address: '1 Road' }
  return { attempt, ...typed, 'svc-captcha-response': `tgr_token-of-${intent}`, ...change }
}

function redemptions(): Sent[] {
  return sent.filter(({ path }) => path === '/siteverify')
}

test('a form carries its intent and the check, and two forms of one visitor share a session', async () => {
  const first = await open('/checkout?product=lamp')
  const second = await open('/signup', first.cookie)
  expect(first.page).toContain(`<script src="${tollgateUrl}/widget.js" async defer></script>`)
  expect(first.page).toContain(`data-sitekey="${sitekey}" data-intent="${first.intent}" data-endpoint="${tollgateUrl}"`)
  expect(first.page).toContain('value="lamp" checked')
  expect(sent.map(({ body }) => body.action)).toEqual(['checkout', 'signup'])
  expect(sent[0]?.body.session).toMatch(/^[0-9a-f]{64}$/)
  expect(sent[1]?.body.session).toBe(sent[0]?.body.session)
  expect(second.attempt).not.toBe(first.attempt)
})

test.each(['already-redeemed', 'intent-expired'])(
  'after %s there is a fresh form with what was typed',
  async (code) => {
    const form = await open('/checkout')
    refusal = { path: '/siteverify', status: 409, code }
    const { status, page } = await post('/checkout', form.cookie, fill(form))
    expect(status).toBe(409)
    expect(page).toContain('value="Ada &lt;i&gt;"')
    expect(page).toContain('value="saddle" checked')
    const fresh = readForm(page)
    expect(fresh.attempt).not.toBe(form.attempt)
    refusal = undefined
    expect(await post('/checkout', form.cookie, fill(fresh))).toMatchObject({
      status: 200,
      page: expect.stringMatching(/PW-\d+/),
    })
  },
)

test.each([
  [402, 'quota-exceeded', 402, 'nothing was charged'],
  [429, 'rate-limited', 429, 'wait 30 seconds'],
  [401, 'unauthorized', 500, 'come back later'],
  [422, 'bad-request', 500, 'come back later'],
])('%i %s has a page of its own, opening and settling', async (status, code, shown, text) => {
  const form = await open('/signup')
  refusal = { path: '/siteverify', status, code }
  const settling = await post('/signup', form.cookie, fill(form))
  expect(settling.status).toBe(shown)
  refusal = { path: '/intents', status, code }
  const opening = await fetch(`${shop.url}/checkout`, { headers: { cookie: form.cookie } })
  expect(opening.status).toBe(shown)
  expect(await opening.text()).toContain(text)
  const activity = await (await fetch(`${shop.url}/activity`, { headers: { cookie: form.cookie } })).text()
  expect(activity.replaceAll(/\s+/g, '')).toContain(`Refused</td><td><code>${code}</code></td><td><code>${form.intent}`)
  expect(logged.join('\n')).toContain(`"code":"${code}","request":"req_42"`)
})

test('only small forms are read', async () => {
  const { cookie } = await open('/signup')
  const json = { 'content-type': 'application/json', cookie }
  expect((await fetch(`${shop.url}/signup`, { method: 'POST', headers: json, body: '{}' })).status).toBe(415)
  expect(await post('/signup', cookie, { email: 'x'.repeat(9_000) })).toMatchObject({ status: 413 })
})

test('a visitor who came by another name is sent to the one that intents are bound to', async () => {
  const { port } = new URL(shop.url)
  const response = await fetch(`http://127.0.0.1:${port}/checkout?product=bell`, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([
    307,
    `//localhost:${port}/checkout?product=bell`,
  ])
})

async function renew(cookie: string, intent: string, origin = shop.url) {
  const response = await fetch(`${shop.url}/renew`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ intent_id: intent }),
  })
  const [caching, text] = [response.headers.get('cache-control'), await response.text()]
  return { status: response.status, caching, intent: /"intent_id":"([^"]+)"/.exec(text)?.[1] ?? '', text }
}

test('an expired intent is renewed for the same form, as often as it is asked, and the last one counts', async () => {
  const form = await open('/checkout')
  const first = await renew(form.cookie, form.intent)
  expect(first).toMatchObject({ status: 200, caching: 'no-store', intent: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  // the answer was lost
  const second = await renew(form.cookie, form.intent)
  const third = await renew(form.cookie, second.intent)
  const intents = [form.intent, first.intent, second.intent, third.intent]
  expect(new Set(intents).size).toBe(4)
  expect(new Set(sent.map(({ body }) => body['nonce'])).size).toBe(4)
  expect(await post('/checkout', form.cookie, fill({ ...form, intent: third.intent }))).toMatchObject({ status: 200 })
  expect(redemptions().map(({ body }) => body['intent_id'])).toEqual([third.intent])
})

test('nothing is renewed for another session, from another origin, or once the form was sent', async () => {
  const form = await open('/checkout')
  const stranger = await open('/checkout')
  expect(await renew(stranger.cookie, form.intent)).toMatchObject({ status: 409, text: '{"error":"intent-expired"}' })
  expect(await renew('', form.intent)).toMatchObject({ status: 409 })
  expect(await renew(form.cookie, form.intent, 'https://evil.example')).toMatchObject({ status: 403 })
  expect(await renew(form.cookie, 'x')).toMatchObject({ status: 400 })
  await post('/checkout', form.cookie, fill(form))
  expect(await renew(form.cookie, form.intent)).toMatchObject({ status: 409 })
  refusal = { path: '/intents', status: 503, code: 'unavailable' }
  expect(await renew(stranger.cookie, stranger.intent)).toMatchObject({ status: 503, text: '{"error":"unavailable"}' })
})

test('a form that is sent while its intent is renewed keeps one of the two, and the business is done once', async () => {
  for (let round = 0; round < 8; round++) {
    const form = await open('/checkout')
    sent = []
    const [renewed] = await Promise.all([
      renew(form.cookie, form.intent),
      post('/checkout', form.cookie, fill(form)),
      post('/checkout', form.cookie, fill(form)),
    ])
    const kept = new Set(redemptions().map(({ body }) => `${body['intent_id']} ${body['idempotency_key']}`))
    expect(kept.size).toBe(1)
    expect([...kept][0]).toContain(renewed.status === 200 ? renewed.intent : form.intent)
  }
})

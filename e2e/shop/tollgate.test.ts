import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { readDecision, readFeedback, readGrant, readPermit } from './replies.ts'
import { createTollgate } from './tollgate.ts'

const intentId = '0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f'
const asked = { sitekey: 'tg_site_TESTpass000000000000', action: 'checkout', hostname: 'localhost' }
const permit = { intent_id: intentId, ...asked, expires_at: 1_700_000_300 }
const decision = {
  success: true,
  intent_id: intentId,
  action: 'checkout',
  hostname: 'localhost',
  decision_id: 'dec_1',
  assessment: 'passed',
}

test('a permit that echoes what was asked is taken', () => {
  expect(readPermit(permit, asked)).toEqual({ intentId })
})

test.each([
  ['another site', { sitekey: 'tg_site_TESThard000000000000' }],
  ['another action', { action: 'signup' }],
  ['another host', { hostname: 'localhost.' }],
  ['an id that is no UUID', { intent_id: `${intentId}\n` }],
  ['no id', { intent_id: undefined }],
])('a permit with %s is not ours', (_, change) => {
  expect(readPermit({ ...permit, ...change }, asked)).toBeUndefined()
})

test('a decision for exactly this permit is taken', () => {
  expect(readDecision(decision, { ...asked, intentId })).toEqual({ decisionId: 'dec_1' })
})

test.each([
  ['without success', { success: false }],
  ['with success as text', { success: 'true' }],
  ['that did not pass', { assessment: 'failed' }],
  ['for another permit', { intent_id: intentId.replace('0', '1') }],
  ['for another action', { action: 'signup' }],
  ['for another host', { hostname: 'example.com' }],
  ['without an id', { decision_id: '' }],
])('a decision %s does not count', (_, change) => {
  expect(readDecision({ ...decision, ...change }, { ...asked, intentId })).toBeUndefined()
})

test.each([[undefined], [null], [[]], ['ok'], [true]])('a reply that is no object is nothing: %j', (reply) => {
  expect(readPermit(reply, asked)).toBeUndefined()
  expect(readDecision(reply, { ...asked, intentId })).toBeUndefined()
})

type Reply = (request: IncomingMessage, response: ServerResponse) => void

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A service that answers the n-th request with the n-th reply, the last one for ever, and keeps what it was sent. */
async function serve(...replies: Reply[]) {
  const received: { authorization: string | undefined; body: string }[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    received.push({ authorization: request.headers.authorization, body: await text(request) })
    replies[Math.min(received.length, replies.length) - 1]?.(request, response)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the test service has no port')
  const apiUrl = `http://127.0.0.1:${address.port}`
  return { apiUrl, received, tollgate: createTollgate({ apiUrl, sitekey: asked.sitekey, secret: 'tg_secret_x' }) }
}

function reply(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers })
    response.end(JSON.stringify(body))
  }
}

const redemption = {
  token: 'tgr_1',
  intentId,
  action: 'checkout',
  hostname: 'localhost',
  idempotencyKey: 'k'.repeat(16),
}

test('a lost connection and a 503 are repeated with exactly the same request', async () => {
  const busy = reply(503, { error: 'unavailable' }, { 'retry-after': '0' })
  const { received, tollgate } = await serve((request) => request.socket.destroy(), busy, reply(200, decision))
  expect(await tollgate.redeem(redemption)).toEqual({ value: { decisionId: 'dec_1' } })
  expect(received).toHaveLength(3)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    response: 'tgr_1',
    intent_id: intentId,
    action: 'checkout',
    hostname: 'localhost',
    idempotency_key: 'k'.repeat(16),
  })
  expect(received[0]?.authorization).toBe('Bearer tg_secret_x')
})

test('a service that stays busy is asked three times and no more', async () => {
  const { received, tollgate } = await serve(reply(429, { error: 'rate-limited' }, { 'retry-after': '0' }))
  expect(await tollgate.redeem(redemption)).toMatchObject({
    refusal: { status: 429, code: 'rate-limited', retryAfter: 0 },
  })
  expect(received).toHaveLength(3)
})

test('a wait that is too long for a page is left to the visitor', async () => {
  const { received, tollgate } = await serve(reply(429, { error: 'rate-limited' }, { 'retry-after': '60' }))
  expect(await tollgate.redeem(redemption)).toMatchObject({ refusal: { status: 429, retryAfter: 60 } })
  expect(received).toHaveLength(1)
})

test('a refusal that repeating cannot change is not repeated', async () => {
  const { received, tollgate } = await serve(reply(422, { error: 'bad-request', field: 'hostname' }))
  expect(
    await tollgate.openPermit({ ...asked, nonce: 'n'.repeat(16), session: '0'.repeat(64), grantId: undefined }),
  ).toEqual({
    refusal: { status: 422, code: 'bad-request', field: 'hostname', retryAfter: undefined, requestId: 'req_1' },
  })
  expect(received).toHaveLength(1)
})

test('a 200 that does not say what it should is a refusal', async () => {
  const { tollgate } = await serve(reply(200, { ...decision, action: 'signup' }))
  expect(await tollgate.redeem(redemption)).toMatchObject({ refusal: { code: 'unexpected-answer' } })
})

test('the secret does not follow a redirection', async () => {
  const elsewhere = await serve(reply(200, decision))
  const { tollgate } = await serve(reply(307, {}, { location: elsewhere.apiUrl }))
  expect(await tollgate.redeem(redemption)).toMatchObject({ refusal: { code: 'unreachable' } })
  expect(elsewhere.received).toEqual([])
})

test.each([
  ['an id that is no UUID', { grant_id: 'x' }],
  ['a time that is none', { expires_at: '1700000900' }],
  ['half a use', { uses: 0.5 }],
])('a grant with %s is none', (_, change) => {
  const grant = { grant_id: intentId, expires_at: 1_700_000_900, uses: 1 }
  expect(readGrant(grant)).toEqual({ grantId: intentId, expiresAt: 1_700_000_900, uses: 1 })
  expect(readGrant({ ...grant, ...change })).toBeUndefined()
})

test('a receipt for another event is none', () => {
  const receipt = { accepted: true, event_id: intentId, revision: 1, expires_at: 1_700_000_900 }
  expect(readFeedback(receipt, intentId)).toEqual({ revision: 1, expiresAt: 1_700_000_900 })
  expect(readFeedback(receipt, intentId.replace('0', '1'))).toBeUndefined()
  expect(readFeedback({ ...receipt, accepted: false }, intentId)).toBeUndefined()
})

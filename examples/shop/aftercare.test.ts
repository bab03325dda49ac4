import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { startShop } from './shop.ts'

// What comes after a verification, with the real service. Between it and the shop stands a relay, which keeps what the
// shop asked and can answer in the service's place or lose an answer on the way.

type Sent = { path: string; body: Record<string, unknown> }

let app: TestApp
let site: MadeSite
let database: TestDatabase
let relay: Server
let shop: Awaited<ReturnType<typeof startShop>>
let sent: Sent[] = []
let interfere: (asked: Sent) => { status: number; code: string } | 'lose the answer' | undefined

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  const body = await text(request)
  const asked = { path, body: JSON.parse(body) }
  sent.push(asked)
  const instead = interfere(asked)
  if (typeof instead === 'object') {
    response.writeHead(instead.status, { 'retry-after': '0' }).end(JSON.stringify({ error: instead.code }))
    return
  }
  const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' }
  const reply = await fetch(app.url + path, { method: 'POST', headers, body })
  const answer = await reply.text()
  if (instead === undefined) response.writeHead(reply.status).end(answer)
  else request.socket.destroy()
}

beforeAll(async () => {
  app = await openTestApp()
  site = await makeSite(app.ctx, { hostnames: ['localhost'] })
  relay = createServer((request, response) => void pass(request, response))
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const address = relay.address()
  if (typeof address !== 'object' || address === null) throw new Error('the relay has no port')
  database = await openTestDatabase({ empty: true })
  shop = await startShop({
    port: 0,
    host: '127.0.0.1',
    sessionKey: 'a key of the tests alone',
    hostname: 'localhost',
    tollgateUrl: app.url,
    tollgateApiUrl: `http://127.0.0.1:${address.port}`,
    sitekey: site.sitekey,
    secret: site.secret,
    databaseUrl: database.url,
    deadline: 1_000,
    log: () => {},
  })
})

afterAll(async () => {
  await shop.close()
  relay.close()
  await app.close()
  await database.close()
})

beforeEach(() => {
  sent = []
  interfere = () => undefined
})

const asked = (path: string) => sent.filter((each) => each.path === path).map(({ body }) => body)

async function get(path: string, cookie = '') {
  const response = await fetch(shop.url + path, { headers: { cookie } })
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? cookie, page: await response.text() }
}

async function post(path: string, cookie: string, fields: Record<string, string>, origin = shop.url) {
  const headers = { cookie, origin }
  const response = await fetch(shop.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return { status: response.status, url: response.url, page: await response.text() }
}

/** Opens the order form and takes its challenge, as the component does. */
async function open(cookie = '') {
  const form = await get('/checkout', cookie)
  const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(form.page) ?? []
  const [, intent = ''] = /data-intent="([^"]+)"/.exec(form.page) ?? []
  const { body } = await app.client.challenge(site, intent, { origin: shop.url })
  return { cookie: form.cookie, attempt, intent, challenge: body }
}

/** Orders, with work where it is asked for. */
async function order(cookie = '') {
  const { attempt, intent, challenge, ...form } = await open(cookie)
  let response = challenge['response']
  if (challenge['kind'] !== 'none') {
    const puzzle = challenge as { challenge: string; seed: string; count: number; target: number }
    const solution = { intent_id: intent, challenge: puzzle.challenge, solution: solvePuzzles(puzzle) }
    response = (await app.client.solve(site, solution, { origin: shop.url })).body['response']
  }
  const typed = { product: 'bell', quantity: '1', name: 'Ada', email: 'ada@example.com', address: '1 Road' }
  const filled = { attempt, ...typed, 'svc-captcha-response': String(response) }
  const receipt = await post('/checkout', form.cookie, filled)
  const [decision = ''] = /dec_[0-9a-f]{32}/.exec(receipt.page) ?? []
  return { cookie: form.cookie, attempt, kind: challenge['kind'], decision, receipt }
}

const skip = ({ cookie, attempt }: { cookie: string; attempt: string }) => post('/exemptions', cookie, { attempt })

const report = ({ cookie, attempt }: { cookie: string; attempt: string }, outcome: string) =>
  post('/reports', cookie, { attempt, outcome })

async function count(table: 'captcha_grant' | 'feedback_event', decision: string): Promise<number> {
  const { rows } = await app.sql.query(`select count(*)::int as n from ${table} where decision_id = $1`, [
    decision.slice('dec_'.length),
  ])
  return rows[0].n
}

test('eight clicks on skipping the next check make one grant, good for one form', async () => {
  const first = await order()
  expect(first).toMatchObject({ kind: 'pow-sha256', receipt: { page: expect.stringContaining('Skip the check') } })
  const pages = await Promise.all(Array.from({ length: 8 }, () => skip(first)))
  for (const { status, page } of pages) {
    expect(status).toBe(200)
    expect(page).toContain('skips the check, until')
  }
  expect(await count('captcha_grant', first.decision)).toBe(1)
  expect(new Set(asked('/grants').map((body) => JSON.stringify(body))).size).toBe(1)

  const second = await order(first.cookie)
  expect(second).toMatchObject({ kind: 'none', receipt: { status: 200, page: expect.stringMatching(/PW-\d+/) } })
  expect(second.decision).not.toBe(first.decision)
  expect(await order(first.cookie)).toMatchObject({ kind: 'pow-sha256', receipt: { status: 200 } })
})

test('the shop does not renew an exemption', async () => {
  const first = await order()
  await skip(first)
  const second = await order(first.cookie)
  expect(second.receipt.page).toContain('The check was skipped this time')
  expect(second.receipt.page).not.toContain('Skip the check next time')
  expect(await skip(second)).toMatchObject({
    status: 200,
    page: expect.stringContaining('The check was skipped this time'),
  })
  expect(asked('/grants')).toHaveLength(1)
})

test('a visitor whose grant was revoked elsewhere gets a fresh intent, and passes with the check', async () => {
  const first = await order()
  await skip(first)
  await app.client.asSite('/grants/revoke', site, { session: asked('/grants')[0]?.['session'] })
  sent = []
  expect(await order(first.cookie)).toMatchObject({ kind: 'pow-sha256', receipt: { status: 200 } })
  const [stale, fresh, ...more] = asked('/intents')
  expect(stale).toHaveProperty('trusted_grant_id')
  expect(fresh).not.toHaveProperty('trusted_grant_id')
  expect(fresh?.['nonce']).not.toBe(stale?.['nonce'])
  expect(more).toEqual([])

  await open(first.cookie)
  expect(asked('/intents')[2]).not.toHaveProperty('trusted_grant_id')
})

test('a visitor whose exemption the site has switched off passes with the check', async () => {
  const first = await order()
  await skip(first)
  interfere = ({ body }) => (body['trusted_grant_id'] ? { status: 403, code: 'grants-disabled' } : undefined)
  expect(await order(first.cookie)).toMatchObject({ kind: 'pow-sha256', receipt: { status: 200 } })
})

test('an outage while the form is opened costs no exemption', async () => {
  const first = await order()
  await skip(first)
  interfere = ({ path }) => (path === '/intents' ? { status: 503, code: 'unavailable' } : undefined)
  expect((await get('/checkout', first.cookie)).page).toContain('Try again')
  interfere = () => undefined
  expect(await order(first.cookie)).toMatchObject({ kind: 'none', receipt: { status: 200 } })
})

test.each([
  [409, 'grant-exists', 409, 'on other terms'],
  [409, 'grant-invalid', 409, 'last ten minutes'],
  [403, 'grants-disabled', 409, 'isn’t offered at the moment'],
  [503, 'unavailable', 503, 'couldn’t arrange that just now'],
  [401, 'unauthorized', 500, 'couldn’t arrange that just now'],
])(
  'taking the exemption: %i %s gets a message, and the next form asks for the check',
  async (status, code, shown, said) => {
    const first = await order()
    interfere = ({ path }) => (path === '/grants' ? { status, code } : undefined)
    const { status: answered, page } = await skip(first)
    expect(answered).toBe(shown)
    expect(page).toContain(said)
    expect(page).toContain('Thank you, Ada')
    expect(await open(first.cookie)).toMatchObject({ challenge: { kind: 'pow-sha256' } })
  },
)

test('a removed device does the check again, and its page says how many exemptions were revoked', async () => {
  const first = await order()
  await skip(first)
  expect((await post('/exemptions/forget', first.cookie, {})).page).toContain('1 exemption was revoked')
  expect((await post('/exemptions/forget', first.cookie, {})).page).toContain('0 exemptions were revoked')
  sent = []
  expect(await open(first.cookie)).toMatchObject({ challenge: { kind: 'pow-sha256' } })
  expect(asked('/intents')).toHaveLength(1)
  // the same grant is not dug out again
  expect((await skip(first)).page).toContain('was forgotten')
  expect(asked('/grants')).toEqual([])
})

test('the shop removes a device even if the revocation at Tollgate fails', async () => {
  const first = await order()
  await skip(first)
  interfere = ({ path }) => (path === '/grants/revoke' ? { status: 503, code: 'unavailable' } : undefined)
  expect(await post('/exemptions/forget', first.cookie, {})).toMatchObject({
    status: 503,
    page: expect.stringContaining('Please try again'),
  })
  expect(await open(first.cookie)).toMatchObject({ challenge: { kind: 'pow-sha256' } })
})

test('a report is corrected by one that supersedes it; saying the same again says nothing', async () => {
  const sale = await order()
  expect((await report(sale, 'confirmed_abuse')).page).toMatch(/Confirmed abuse<[^]*revision 1, can be corrected until/)
  await report(sale, 'confirmed_abuse')
  expect((await report(sale, 'legitimate')).page).toMatch(/Legitimate<[^]*revision 2,/)
  const [first, second, ...more] = asked('/feedback')
  expect(more).toEqual([])
  expect(first).toMatchObject({ outcome: 'confirmed_abuse', business_type: 'order', decision_id: sale.decision })
  expect(first).not.toHaveProperty('supersedes_event_id')
  expect(second).toMatchObject({ outcome: 'legitimate', supersedes_event_id: first?.['event_id'] })
})

test('of two different reports at once the second corrects the first or is refused with a message', async () => {
  const sale = await order()
  const replies = await Promise.all([report(sale, 'legitimate'), report(sale, 'confirmed_abuse')])
  const accepted = replies.filter(({ status }) => status === 200).length
  expect([200, 409]).toEqual(expect.arrayContaining(replies.map(({ status }) => status)))
  expect(accepted).toBeGreaterThanOrEqual(1)
  expect((await get('/activity', sale.cookie)).page).toContain(`revision ${accepted}`)
  expect(await count('feedback_event', sale.decision)).toBe(accepted)
})

test('a report that got no answer is sent again as it was, before anything new is said', async () => {
  const sale = await order()
  interfere = ({ path }) => (path === '/feedback' ? 'lose the answer' : undefined)
  expect(await report(sale, 'confirmed_abuse')).toMatchObject({
    status: 503,
    page: expect.stringContaining('not delivered yet'),
  })
  const before = new Set(asked('/feedback').map((body) => JSON.stringify(body)))
  expect(before.size).toBe(1)
  interfere = () => undefined
  sent = []
  expect((await report(sale, 'legitimate')).page).toContain('revision 2')
  const [again, correction] = asked('/feedback')
  expect(before).toContain(JSON.stringify(again))
  expect(correction?.['supersedes_event_id']).toBe(again?.['event_id'])
})

test('a decision that somebody else reported says so, first and corrected', async () => {
  const [unknown, known] = [await order(), await order()]
  const elsewhere = (decision_id: string, supersedes: object) =>
    app.client.asSite('/feedback', site, {
      decision_id,
      event_id: randomUUID(),
      outcome: 'unknown',
      business_type: 'order',
      occurred_at: Math.floor(Date.now() / 1000),
      ...supersedes,
    })
  await elsewhere(unknown.decision, {})
  expect(await report(unknown, 'legitimate')).toMatchObject({
    status: 409,
    page: expect.stringContaining('has reported this decision already'),
  })
  await report(known, 'legitimate')
  await elsewhere(known.decision, { supersedes_event_id: asked('/feedback').at(-1)?.['event_id'] })
  expect(await report(known, 'confirmed_abuse')).toMatchObject({
    status: 409,
    page: expect.stringMatching(/has corrected this report meanwhile[^]*revision 1/),
  })
})

test('nothing is done for another session, another page or an outcome that is none', async () => {
  const [mine, stranger] = [await order(), await order()]
  sent = []
  const theirs = { cookie: stranger.cookie, attempt: mine.attempt }
  const elsewhere = 'http://localhost:1'
  const replies = [
    await skip(theirs),
    await report(theirs, 'legitimate'),
    await report(mine, 'abuse'),
    await report({ ...mine, attempt: `${mine.attempt}'` }, 'legitimate'),
    await post('/exemptions/forget', '', {}),
    await post('/exemptions', mine.cookie, { attempt: mine.attempt }, elsewhere),
    await post('/exemptions/forget', mine.cookie, {}, elsewhere),
    await post('/exemptions/forget', mine.cookie, {}, 'null'),
  ]
  expect(replies.map(({ status }) => status)).toEqual(Array(replies.length).fill(403))
  expect(sent).toEqual([])
})

import { expect, test } from 'vitest'
import { type TestApp } from '../../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { solvePuzzles } from '../../../../test/support/solver.ts'
import { testApp, testSite } from '../../../../test/support/testApp.ts'
import { written } from '../../../../test/support/written.ts'
import { unpackReasons } from '../difficulty/reasons.ts'

const app = testApp()
const site = testSite(app)

type Visit = Parameters<TestApp['client']['challenge']>[2]
type Puzzle = { challenge: string; seed: string; count: number; target: number }

/** Expected hashes of a challenge that a client with these headers gets. */
async function take(visit: Visit, keys: MadeSite = site) {
  const intent_id = String((await app.client.intent(keys)).body['intent_id'])
  const puzzle = (await app.client.challenge(keys, intent_id, visit)).body as unknown as Puzzle
  return { intent_id, puzzle, work: (puzzle.count * 2 ** 32) / puzzle.target }
}
const workFor = async (headers: Record<string, string>) => (await take({ headers })).work

/** Verifies as a visitor who sends `solveHeaders` with the solution; returns the reasons of the decision. */
async function verify(visit: Visit, solveHeaders: Record<string, string> = {}) {
  const { intent_id, puzzle } = await take(visit)
  const solved = await app.client.solve(
    site,
    { intent_id, challenge: puzzle.challenge, solution: solvePuzzles(puzzle) },
    { ...visit, headers: { ...visit?.headers, ...solveHeaders } },
  )
  const { status } = await app.client.siteverify(site, {
    response: solved.body['response'],
    intent_id,
    action: 'checkout',
    hostname: 'shop.example',
    idempotency_key: crypto.randomUUID(),
  })
  expect(status).toBe(200)
  const { rows } = await app.sql.query<{ reasons: number }>(
    'select work_reasons as reasons from decision where id = $1',
    [intent_id],
  )
  return unpackReasons(rows[0]?.reasons ?? 0)
}

test('what a client says about itself raises the difficulty, at most eightfold', async () => {
  expect(await workFor({})).toBe(64)
  expect(await workFor({ 'user-agent': 'curl/8.5.0' })).toBe(256)
  expect(await workFor({ 'svc-captcha-facts': 'idle' })).toBe(128)
  expect(await workFor({ 'svc-captcha-facts': 'idle,webdriver' })).toBe(512)
  expect(await workFor({ 'user-agent': 'curl/8.5.0', 'svc-captcha-facts': 'webdriver, honeypot ,idle' })).toBe(512)
})

test('facts with unknown names, and what the component cannot say, are ignored', async () => {
  expect(await workFor({ 'svc-captcha-facts': '' })).toBe(64)
  expect(await workFor({ 'svc-captcha-facts': 'human,Idle,idle;q=1,speed,automation,,__proto__' })).toBe(64)
  expect(await workFor({ 'svc-captcha-facts': `${'x'.repeat(100)},idle` })).toBe(64)
})

test('the decision says what was noticed, and whether it raised the difficulty', async () => {
  const reasons = await verify({ headers: { 'svc-captcha-facts': 'idle' } }, { 'svc-captcha-facts': 'idle,honeypot' })
  expect(reasons).toMatchObject({ hints: ['idle'], noticed: ['honeypot'] })
})

test('what is noticed with a solution raises the next challenges of its network, and of no other', async () => {
  const address = '203.0.113.99'
  const reasons = await verify({ address }, { 'svc-captcha-facts': 'honeypot' })
  expect(reasons).toMatchObject({ hints: [], noticed: ['honeypot'] })
  expect((await take({ address })).work).toBe(256)
  expect((await take({ address: '203.0.113.98' })).work).toBe(64)
})

test('one program does not raise the difficulty of the many who share its address', async () => {
  const address = '203.0.113.97'
  for (let i = 0; i < 5; i++) await verify({ address })
  await verify({ address }, { 'svc-captcha-facts': 'honeypot' })
  expect((await take({ address })).work).toBe(64)
})

test('a site can refuse declared automation, which the console explains', async () => {
  const refusing = await makeSite(app.ctx, { policy: { refuseAutomation: true } })
  const ask = async (headers: Record<string, string>) => {
    const intent_id = (await app.client.intent(refusing)).body['intent_id']
    return app.client.challenge(refusing, intent_id, { headers })
  }
  for (const headers of [{ 'user-agent': 'curl/8.5.0' }, { 'svc-captcha-facts': 'webdriver' }]) {
    const { status, body, headers: replied } = await ask(headers)
    expect([status, body, replied.get('retry-after')]).toEqual([429, { error: 'rate-limited' }, '3600'])
  }
  expect((await ask({ 'svc-captcha-facts': 'idle,honeypot' })).status).toBe(200)
  await written(app)
  const { rows } = await app.sql.query('select code, field from refusal where site_id = $1', [refusing.siteId])
  expect(rows).toEqual([
    { code: 'rate-limited', field: 'automation' },
    { code: 'rate-limited', field: 'automation' },
  ])
})

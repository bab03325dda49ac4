import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../sdk/testing/listen.ts'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { solvePuzzles } from '../../../test/support/solver.ts'
import { TEST_BEHAVIOURS, testSitekey } from '../../accounts/sites/testKeys/behaviour.ts'
import { testSecret } from '../../accounts/sites/testKeys/ensure.ts'

// The code of docs/backend.md, as a merchant would copy it.
const guide = readFileSync('docs/backend.md', 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'tollgate-guide-'))
const blocks = [...guide.matchAll(/^```js\n\/\/ (\w+\.mjs)\n([\s\S]*?)^```$/gm)]
for (const [, name = '', code = ''] of blocks) writeFileSync(join(folder, name), code)
mkdirSync(join(folder, 'node_modules/@tollgate'), { recursive: true })
symlinkSync(resolve('sdk/node'), join(folder, 'node_modules/@tollgate/node'), 'junction')
const SESSION = `'${'0'.repeat(64)}'`
const [pass] = TEST_BEHAVIOURS
if (!pass) throw new Error('there is no test key')
const keys = { sitekey: testSitekey(pass), secret: testSecret(pass) }

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const [tables = ''] = /^create table attempts[\s\S]*?(?=^```$)/m.exec(guide) ?? []
  await app.sql.query(tables)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** Evaluates an expression of a merchant's code in a separate process next to the guide's files. */
async function run(expression: string, settings: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const driver = pathToFileURL(createRequire(import.meta.url).resolve('pg')).href
  writeFileSync(
    join(folder, 'run.mjs'),
    `const { CODE, DRIVER, DATABASE } = (await import('node:process')).env
    const { openIntent, redeem } = await import(CODE + '/tollgate.mjs')
    const { openForm, submit } = await import(CODE + '/checkout.mjs')
    const { default: pg } = await import(DRIVER)
    const db = new pg.Pool({ connectionString: DATABASE })
    console.log(JSON.stringify(await ${expression}))
    await db.end()`,
  )
  const env = {
    TOLLGATE_URL: app.url,
    TOLLGATE_SITEKEY: keys.sitekey,
    TOLLGATE_SECRET: keys.secret,
    CODE: pathToFileURL(folder).href,
    DRIVER: driver,
    DATABASE: app.ownerDatabaseUrl,
    ...settings,
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['run.mjs'], { cwd: folder, env })
  return JSON.parse(stdout) as Record<string, unknown>
}

async function earn(intentId: unknown): Promise<string> {
  const { body } = await app.client.challenge(keys, intentId)
  const solution = solvePuzzles(body as { seed: string; count: number; target: number })
  const solved = await app.client.solve(keys, { intent_id: intentId, challenge: body['challenge'], solution })
  return String(solved.body['response'])
}

const binding = { action: 'checkout', hostname: 'shop.example' }
const open = (settings = {}) => run(`openIntent(${JSON.stringify({ ...binding, nonce: newNonce() })})`, settings)
const redeem = (fields: object, settings = {}) => run(`redeem(${JSON.stringify(fields)})`, settings)

test('opens an intent and redeems its token without an SDK, and again with the same result', async () => {
  const intent = await open()
  expect(intent).toMatchObject({ ok: true, value: { intent_id: expect.any(String) } })
  const { intent_id } = intent['value'] as { intent_id: string }
  const fields = { ...binding, response: await earn(intent_id), intent_id, idempotency_key: newNonce() }
  const decision = await redeem(fields)
  expect(decision).toMatchObject({ ok: true, value: { decision_id: expect.stringMatching(/^dec_/) } })
  expect(await redeem(fields)).toEqual(decision)
  expect(await redeem({ ...fields, idempotency_key: newNonce() })).toMatchObject({
    ok: false,
    code: 'already-redeemed',
  })
  expect(await redeem({ ...fields, response: `${fields.response}A` })).toMatchObject({ ok: false })
})

test('treats no failure as a pass', async () => {
  expect(await open({ TOLLGATE_URL: 'http://127.0.0.1:2' })).toEqual({
    ok: false,
    code: 'unreachable',
    again: true,
  })
  expect(await open({ TOLLGATE_SITEKEY: 'tg_site_00000000000000000000' })).toMatchObject({
    ok: false,
    code: 'unexpected-answer',
  })
  expect(await open({ TOLLGATE_URL: `${app.url}/docs` })).toMatchObject({ ok: false, code: 'not-found' })
  const { intent_id } = (await open())['value'] as { intent_id: string }
  const fields = { ...binding, intent_id, response: 'tgr_AAAA', idempotency_key: newNonce() }
  expect(await redeem(fields)).toMatchObject({ ok: false, code: 'response-invalid' })
})

test('shows no form without an intent', async () => {
  const failing = `openForm(db, ${SESSION}).catch(({ name, code }) => ({ name, code }))`
  expect(await run(failing, { TOLLGATE_SITEKEY: 'tg_site_00000000000000000000' })).toEqual({
    name: 'UnexpectedAnswerError',
    code: 'unexpected-answer',
  })
})

const shown = () => run(`openForm(db, ${SESSION})`)
/** The results of the guide's `submit` for these concurrent submissions. */
async function submit(...submissions: object[]): Promise<Record<string, unknown>[]> {
  const sent = submissions.map((each) => `submit(db, ${SESSION}, ${JSON.stringify(each)})`)
  return (await run(`Promise.all([${sent.join(', ')}])`)) as unknown as Record<string, unknown>[]
}
const ordersOf = async (attempt: unknown) =>
  (await app.sql.query('select payload from orders where attempt_id = $1', [attempt])).rows

test('places one order for five concurrent submissions, whatever the order of their fields', async () => {
  const { attemptId, intentId } = await shown()
  const token = await earn(intentId)
  const said = { attemptId, payload: { product: 'bell', quantity: 2 }, token }
  expect(await submit({ ...said, token: '' })).toEqual([{ ok: false, code: 'incomplete' }])
  expect(await submit({ ...said, payload: null })).toEqual([{ ok: false, code: 'incomplete' }])
  expect(await submit({ ...said, attemptId: 'x' })).toEqual([{ ok: false, code: 'foreign' }])
  expect(await run(`submit(db, '${'f'.repeat(64)}', ${JSON.stringify(said)})`)).toEqual({
    ok: false,
    code: 'foreign',
  })
  const turned = { ...said, payload: { quantity: 2, product: 'bell' } }
  const done = { ok: true, payload: said.payload }
  expect(await submit(said, said, turned, said, said)).toEqual([done, done, done, done, done])
  expect(await ordersOf(attemptId)).toEqual([{ payload: said.payload }])

  // after the replay window the service no longer has the answer, but the order exists
  await app.sql.query(`update decision set redeemed_at = redeemed_at - interval '1 h' where id = $1`, [intentId])
  expect(await submit(said)).toEqual([done])
})

test('refuses another payload or token of the same attempt, before and after the order', async () => {
  const { attemptId, intentId } = await shown()
  const said = { attemptId, payload: { quantity: 1 }, token: await earn(intentId) }
  const changes = [
    { ...said, payload: { quantity: 9 } },
    { ...said, payload: null },
    { ...said, token: await earn(intentId) },
    { ...said, token: '' },
  ]
  // frozen without an answer, because nothing listens at this address (`fetch` itself refuses port 1, for which a repetition is useless)
  const lost = `submit(db, ${SESSION}, ${JSON.stringify(said)})`
  expect(await run(lost, { TOLLGATE_URL: 'http://127.0.0.1:2' })).toEqual({
    ok: false,
    code: 'unreachable',
    again: true,
    frozen: said,
  })
  const changed = (isDone: boolean) => changes.map(() => ({ ok: false, code: 'changed', isDone, frozen: said }))
  expect(await submit(...changes)).toEqual(changed(false))
  expect(await ordersOf(attemptId)).toEqual([])
  expect(await submit(said)).toEqual([{ ok: true, payload: said.payload }])
  expect(await submit(...changes)).toEqual(changed(true))
  expect(await ordersOf(attemptId)).toEqual([{ payload: { quantity: 1 } }])
})

test('accepts one of five different concurrent submissions', async () => {
  const { attemptId, intentId } = await shown()
  const token = await earn(intentId)
  const results = await submit(...[1, 2, 3, 4, 5].map((quantity) => ({ attemptId, payload: { quantity }, token })))
  expect(results.map(({ code }) => code ?? 'ok').toSorted()).toEqual([...Array(4).fill('changed'), 'ok'])
  const quantity = results.findIndex(({ ok }) => ok) + 1
  expect(await ordersOf(attemptId)).toEqual([{ payload: { quantity } }])
})

test('places no order for a forged token', async () => {
  const { attemptId } = await shown()
  const forged = { attemptId, payload: { product: 'bell' }, token: 'tgr_AAAA' }
  expect(await submit(forged)).toEqual([{ ok: false, code: 'response-invalid', again: false }])
  expect(await ordersOf(attemptId)).toEqual([])
})

describe('a service whose answers are not valid', () => {
  const [intentId, other] = [crypto.randomUUID(), crypto.randomUUID()]
  const intent = { intent_id: intentId, sitekey: keys.sitekey, ...binding, expires_at: 1 }
  const decision = { success: true, intent_id: intentId, ...binding, decision_id: 'dec_1', assessment: 'passed' }
  const failed = expect.objectContaining({ ok: false, code: 'unexpected-answer' })

  /** What `call` returns for each answer in turn, in one process. Each call sends one request. */
  async function callEach(call: string, answers: (object | null)[]): Promise<unknown[]> {
    let next = 0
    const liar = await listen((_request, response) => void response.end(JSON.stringify(answers[next++])))
    const all = `(async () => {
      const results = []
      for (let i = 0; i < ${answers.length}; i++) results.push(await ${call})
      return results
    })()`
    try {
      const results = await run(all, { TOLLGATE_URL: liar.url })
      expect(next).toBe(answers.length)
      return results as unknown as unknown[]
    } finally {
      await liar.close()
    }
  }

  /** Each change beside a result, so that a failure names it. */
  const eachWith = <T>(changes: object[], results: T[]) => results.map((result, i) => [changes[i], result])
  const allFail = (changes: object[]) => changes.map((change) => [change, failed])

  test('opens no intent and no form', async () => {
    const changes = [
      { sitekey: 'tg_site_00000000000000000000' },
      { action: 'signup' },
      { hostname: 'localhost' },
      { intent_id: undefined },
      { intent_id: 7 },
      { intent_id: [intentId] },
      { intent_id: 'x' },
    ]
    const answers = changes.map((change) => ({ ...intent, ...change }))
    const opening = `openIntent(${JSON.stringify({ ...binding, nonce: newNonce() })})`
    expect(eachWith(changes, await callEach(opening, answers))).toEqual(allFail(changes))
    const showing = `openForm(db, ${SESSION}).catch(({ code }) => ({ ok: false, code }))`
    expect(eachWith(changes, await callEach(showing, answers))).toEqual(allFail(changes))
    expect(await callEach(opening, [intent])).toMatchObject([{ ok: true }])
  })

  test('is no pass, with or without the SDK', async () => {
    const [form] = await callEach(`openForm(db, ${SESSION})`, [intent])
    const { attemptId } = form as { attemptId: string }
    const said = { attemptId, payload: { quantity: 1 }, token: 'tgr_AAAA' }
    const submitting = `submit(db, ${SESSION}, ${JSON.stringify(said)})`
    const fields = { ...binding, intent_id: intentId, response: 'tgr_AAAA', idempotency_key: newNonce() }
    const redeeming = `redeem(${JSON.stringify(fields)})`
    const changes = [
      { success: 'true' },
      { success: undefined },
      { assessment: 'failed' },
      { assessment: 0.9 },
      { intent_id: other },
      { action: 'signup' },
      { hostname: 'localhost' },
      { decision_id: undefined },
      { decision_id: 7 },
      { decision_id: '' },
    ]
    const answers = changes.map((change) => ({ ...decision, ...change }))
    expect(eachWith(changes, await callEach(redeeming, answers))).toEqual(allFail(changes))
    const refusals = (await callEach(submitting, answers)) as { again?: boolean }[]
    expect(eachWith(changes, refusals)).toEqual(allFail(changes))
    expect(refusals.filter(({ again }) => again !== false)).toEqual([])
    expect(await callEach(redeeming, [null])).toMatchObject([{ ok: false }])
    expect(await ordersOf(attemptId)).toEqual([])
    expect(await callEach(redeeming, [decision])).toMatchObject([{ ok: true }])
    expect(await callEach(submitting, [decision])).toMatchObject([{ ok: true }])
    expect(await ordersOf(attemptId)).toHaveLength(1)
  })
})

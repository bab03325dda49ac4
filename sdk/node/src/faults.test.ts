import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type Fault, type Faults, openFaults } from '../../testing/faults.ts'
import { Tollgate } from './client.ts'
import { createEventId, createNonce } from './draw.ts'
import { hashSession } from './hash.ts'
import type { Decision, Redemption } from './types.ts'

// The real service behind a proxy that injects faults after the work is done.

let app: TestApp
let faults: Faults
/** Keys of the test's own tenant, so that all its charges are from this test. */
let site: MadeSite
let client: Tollgate
/** All errors of the tests, with the secret that they must not contain. */
const met: { error: unknown; secret: string }[] = []

beforeAll(async () => {
  app = await openTestApp()
  faults = await openFaults(app.url)
})
afterAll(async () => {
  await faults.close()
  await app.close()
})
beforeEach(async () => {
  site = await makeSite(app.ctx)
  client = open()
})

function open(options: { timeout?: number; deadline?: number; url?: string } = {}): Tollgate {
  const { sitekey, secret } = site
  return new Tollgate({ url: faults.url, sitekey, secret, ...options })
}

const binding = { action: 'checkout', hostname: 'shop.example' }
const session = hashSession('a key of the shop alone', 'a session')

async function earn(): Promise<Redemption> {
  const earned = await app.client.earn(site, { session })
  return {
    ...binding,
    response: earned['response'] ?? '',
    intentId: earned['intent_id'] ?? '',
    idempotencyKey: earned['idempotency_key'] ?? '',
  }
}

/** The error with which a call rejects. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => new Error('it was taken for a success'),
    (reason: unknown) => reason,
  )
  met.push({ error, secret: site.secret })
  return error
}

async function books(): Promise<{ decisions: number; charged: number }> {
  const { rows } = await app.sql.query(
    `select (select count(*)::int from decision where tenant_id = $1) as decisions,
            (select coalesce(sum(used), 0)::int from quota_period where tenant_id = $1) as charged`,
    [site.tenantId],
  )
  return rows[0]
}

const ONCE = { decisions: 1, charged: 1 }

/** Faults that end only by the client's timeout. */
const isSlow = ({ kind }: Fault) => ['hang', 'delay', 'drip'].includes(kind)

/** Faults after which a call is repeated, and then succeeds. */
const PASSING: [string, Fault][] = [
  ['no answer ever comes', { kind: 'hang' }],
  ['the answer comes too late', { kind: 'delay', ms: 2_000 }],
  ['the answer drips', { kind: 'drip', ms: 100 }],
  ['the connection ends before the service is reached', { kind: 'drop', reaches: false }],
  ['the connection ends after the work is done', { kind: 'drop' }],
  ['the answer is cut in the middle', { kind: 'cut' }],
  ['bytes come that are no HTTP', { kind: 'garbage' }],
  ['a login page comes in its place', { kind: 'answer', status: 200, body: '<!doctype html><title>Log in</title>' }],
  ['a proxy gives up', { kind: 'answer', status: 504, body: '<h1>Gateway time-out</h1>' }],
  ['a proxy is busy', { kind: 'answer', status: 503, headers: { 'retry-after': '0' }, body: '' }],
  ['a proxy limits', { kind: 'answer', status: 429, headers: { 'retry-after': '0' }, body: 'slow down' }],
]

/** Faults after which a call must not succeed. */
const ENDING: [string, Fault][] = [
  ...[301, 302, 303, 307, 308].map((status): [string, Fault] => [`a ${status}`, { kind: 'redirect', status }]),
  ...Object.entries({
    intent_id: '0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f',
    action: 'signup',
    hostname: 'evil.example',
    success: 'true',
    assessment: 'failed',
    decision_id: '',
  }).flatMap(([field, value]): [string, Fault][] => [
    [`another ${field}`, { kind: 'change', fields: { [field]: value } }],
    [`no ${field}`, { kind: 'change', drop: [field] }],
  ]),
  ['a 500 in HTML', { kind: 'answer', status: 500, body: '<h1>Oops</h1>' }],
  ['a 204', { kind: 'answer', status: 204 }],
]

describe('a redemption', () => {
  test.each(PASSING)('is one decision and one unit when %s', async (_, fault) => {
    const redemption = await earn()
    faults.plan([fault])
    const decision = await open({ timeout: isSlow(fault) ? 500 : 5_000 }).verify(redemption)
    expect(decision).toMatchObject({ success: true, intentId: redemption.intentId, ...binding, assessment: 'passed' })
    const { here } = faults.seen()
    expect(here.length).toBeGreaterThanOrEqual(2)
    expect(new Set(here.map(({ body }) => body)).size).toBe(1)
    expect(await books()).toEqual(ONCE)
  })

  test.each(ENDING)(
    'is never taken from %s, and is one decision and one unit when it is tried again',
    async (_, fault) => {
      const redemption = await earn()
      faults.plan([fault])
      expect(await failure(client.verify(redemption))).toMatchObject({ code: 'unexpected-answer', retryable: false })
      expect(faults.seen().here).toHaveLength(1)
      expect(faults.seen().elsewhere).toEqual([])
      expect(await client.verify(redemption)).toMatchObject({ success: true, intentId: redemption.intentId })
      expect(await books()).toEqual(ONCE)
    },
  )

  test('is one decision and one unit after one fault upon the other', async () => {
    const redemption = await earn()
    faults.plan([{ kind: 'drop' }, { kind: 'cut' }, { kind: 'garbage' }, { kind: 'answer', status: 502 }])
    await client.verify(redemption)
    expect(faults.seen().here).toHaveLength(5)
    expect(await books()).toEqual(ONCE)
  })

  test('ten at once, each with an answer that is lost, are one decision and one unit', async () => {
    const redemption = await earn()
    faults.plan(Array.from({ length: 10 }, () => ({ kind: 'drop' })))
    const decisions = await Promise.all(Array.from({ length: 10 }, () => client.verify(redemption)))
    expect(new Set(decisions.map((decision: Decision) => decision.decisionId)).size).toBe(1)
    expect(await books()).toEqual(ONCE)
  })

  test('that was given up rejects with the reason, and is the same decision afterwards', async () => {
    const redemption = await earn()
    const gone = new AbortController()
    faults.plan([{ kind: 'hang' }])
    const asking = failure(client.verify(redemption, { signal: gone.signal }))
    await expect.poll(() => faults.seen().here.length).toBe(1)
    const reason = new Error('the visitor left')
    gone.abort(reason)
    expect(await asking).toBe(reason)
    expect(await failure(client.verify(redemption, { signal: gone.signal }))).toBe(reason)
    expect(faults.seen().here).toHaveLength(1)
    await client.verify(redemption)
    expect(await books()).toEqual(ONCE)
  })

  test('that is given up between two tries makes no further one', async () => {
    const redemption = await earn()
    const gone = new AbortController()
    faults.plan([{ kind: 'answer', status: 503, headers: { 'retry-after': '8' } }])
    const asking = failure(client.verify(redemption, { signal: gone.signal }))
    await expect.poll(() => faults.seen().here.length).toBe(1)
    gone.abort()
    expect(await asking).toMatchObject({ name: 'AbortError' })
    expect(faults.seen().here).toHaveLength(1)
  })

  test.each([
    ['hangs', { kind: 'hang' }],
    ['drips', { kind: 'drip', ms: 1_000 }],
    ['is not there', { kind: 'drop' }],
  ] satisfies [string, Fault][])(
    'of a service that %s for good ends as unreachable, and costs nothing twice',
    async (_, fault) => {
      const redemption = await earn()
      faults.plan(Array.from({ length: 20 }, () => fault))
      const error = await failure(open({ timeout: 150, deadline: 1_000 }).verify(redemption))
      expect(error).toMatchObject({ code: 'unreachable', retryable: true, status: undefined })
      faults.plan([])
      await client.verify(redemption)
      expect(await books()).toEqual(ONCE)
    },
  )
})

describe('what else is asked', () => {
  const lost = PASSING.filter(([, { kind }]) => kind === 'drop' || kind === 'cut')

  test.each(lost)('is one intent, one event and one grant when %s', async (_, fault) => {
    const nonce = createNonce()
    faults.plan([fault])
    const intent = await client.createIntent({ ...binding, nonce, session })
    expect(await client.createIntent({ ...binding, nonce, session })).toEqual(intent)
    const { rows } = await app.sql.query('select id from intent where nonce = $1', [nonce])
    expect(rows).toEqual([{ id: intent.intentId }])

    const { decisionId } = await client.verify(await earn())
    faults.plan([fault])
    const grant = await client.createGrant({ decisionId, session })
    expect(await client.createGrant({ decisionId, session })).toEqual(grant)
    faults.plan([fault])
    const feedback = {
      decisionId,
      eventId: createEventId(),
      outcome: 'legitimate',
      businessType: 'review',
      occurredAt: new Date(),
    } as const
    const { eventId: latestEventId } = feedback
    expect(await client.feedback(feedback)).toMatchObject({ accepted: true, revision: 1, latestEventId })
    faults.plan([fault])
    expect(Object.keys(await client.revokeGrant({ grantId: grant.grantId }))).toEqual(['revoked'])
    expect(await client.revokeGrant({ session })).toEqual({ revoked: 0 })
  })

  test('is a correction that is accepted with the latest event of the error, if another one came first', async () => {
    faults.plan([])
    const { decisionId } = await client.verify(await earn())
    const report = (supersedesEventId?: string, eventId = createEventId()) => {
      const occurredAt = Math.floor(Date.now() / 1000)
      return { decisionId, eventId, outcome: 'unknown', businessType: 'review', occurredAt, supersedesEventId } as const
    }
    const first = report()
    await client.feedback(first)
    const second = report(first.eventId)
    await client.feedback(second)
    for (const [late, code] of [
      [report(), 'supersede-required'],
      [report(first.eventId), 'supersede-stale'],
    ] as const)
      expect(await failure(client.feedback(late))).toMatchObject({ code, latestEventId: second.eventId })
    expect(await client.feedback(first)).toMatchObject({ revision: 1, latestEventId: second.eventId })
    expect(await client.feedback(report(second.eventId))).toMatchObject({ revision: 3 })
  })

  test('is refused by the service with the code and the request id', async () => {
    faults.plan([])
    const redemption = await earn()
    const others = { ...redemption, hostname: 'other.example' }
    expect(await failure(client.verify(others))).toMatchObject({
      code: 'binding-mismatch',
      status: 409,
      requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      message: expect.stringMatching(/\(binding-mismatch, status 409, req_[0-9a-f]{32}\)$/),
    })
    await client.verify(redemption)
    expect(await failure(client.verify({ ...redemption, idempotencyKey: createNonce() }))).toMatchObject({
      code: 'already-redeemed',
    })
    const foreign = { decisionId: `dec_${'0'.repeat(32)}`, session }
    expect(await failure(client.createGrant(foreign))).toMatchObject({ code: 'bad-request', field: 'decision_id' })
  })
})

test('the secret is in no error, and in nothing that can be seen of the client', async () => {
  await failure(open({ url: 'http://127.0.0.1:1', deadline: 1 }).verify(await earn()))
  await failure(client.verify({ ...(await earn()), response: site.secret }))
  expect(met.length).toBeGreaterThan(20)
  for (const { error: thing, secret } of [...met, { error: client, secret: site.secret }]) {
    const shown = [
      inspect(thing, { showHidden: true, depth: 10 }),
      JSON.stringify(thing),
      String(thing),
      JSON.stringify(Object.getOwnPropertyDescriptors(thing)),
      ...(thing instanceof Error ? [thing.message, thing.stack, inspect(thing.cause)] : []),
    ]
    for (const text of shown) expect(text).not.toContain(secret.slice('tg_secret_'.length, -6))
  }
})

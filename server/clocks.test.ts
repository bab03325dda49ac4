import { afterEach, expect, test, vi } from 'vitest'
import { openOwnApp } from '../test/support/app.ts'
import { testApp, testSite } from '../test/support/testApp.ts'
import { sweepGrants } from './captcha/grants/sweep.ts'
import { sweepIntents } from './captcha/intents/sweep.ts'
import { deleteExpiredNetworks } from './ledger/decisions/deleteExpiredNetworks.ts'
import { sweepRefusals } from './ledger/refusals/sweep.ts'

const app = testApp({ SMTP_URL: '' })
const site = testSite(app)
afterEach(() => void vi.useRealTimers())

const DAY_MS = 86_400_000
const CLOCKS = [-100, -3, 3, 100]

/** From now on this node's clock is wrong by some days; the database's is right. */
const shiftClock = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS })

/** How far a row's time is from the database's, in seconds. */
async function offset(table: string, column: string, where: string): Promise<number[]> {
  const rows = await app.rows<{ seconds: number }>(
    `select extract(epoch from ${column} - now())::float8 as seconds from ${table} where ${where}`,
  )
  return rows.map(({ seconds }) => Math.round(seconds / 600) * 600 + 0)
}
/** The time in an id. */
const AT = `to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`

test.each(CLOCKS)(
  'a node whose clock is %i days off deletes nothing of today, and dates ids as the database does',
  async (days) => {
    shiftClock(days)
    const earned = await app.client.earn(site)
    const { body } = await app.client.siteverify(site, await app.client.earn(site))
    const refused = await app.client.siteverify(site, { ...earned, action: 'other' })
    expect(refused.status).not.toBe(200)
    await expect
      .poll(
        async () => (await app.sql.query('select 1 from refusal where intent_id = $1', [earned['intent_id']])).rowCount,
        {
          timeout: 5000,
        },
      )
      .toBe(1)
    for (const table of ['intent', 'decision']) expect(new Set(await offset(table, AT, 'true'))).toEqual(new Set([0]))
    expect(new Set(await offset('refusal', AT, 'true'))).toEqual(new Set([0]))

    expect(await sweepIntents(app.ctx)).toBe(0)
    expect(await sweepRefusals(app.ctx)).toBe(0)
    expect(await sweepGrants(app.ctx)).toBe(0)
    expect(await deleteExpiredNetworks(app.ctx)).toBe(0)
    expect(body['decision_id']).toBeDefined()
    expect((await app.client.siteverify(site, earned)).status).toBe(200)
  },
)

test('rows are deleted by their own time, whatever the time in their id is', async () => {
  const own = await openOwnApp()
  const insert = (table: string, columns: string, values: string) =>
    own.sql.query(
      `insert into ${table} (id, tenant_id, site_id, ${columns})
       select '01890000-0000-7000-8000-000000000001', gen_random_uuid(), gen_random_uuid(), ${values}`,
    )
  // the id is of 2023
  await insert('intent', 'nonce, action, hostname, created_at, expires_at', `'n', 'a', 'h', now(), now()`)
  await insert('refusal', 'at, endpoint, code, reference', `now(), '/intents', 'x', 'x'`)
  await insert(
    'decision',
    'action, hostname, token_hash, key_hash, redeemed_at, charged_to, network',
    `'a', 'h', '\\x00', '\\x00', now(), 'test', '\\x01'`,
  )
  expect(await sweepIntents(own.ctx)).toBe(0)
  expect(await sweepRefusals(own.ctx)).toBe(0)
  expect(await deleteExpiredNetworks(own.ctx)).toBe(0)
})

test('a node is ready only while its clock is within 30 seconds of the database’s', async () => {
  const readiness = async () => (await fetch(`${app.url}/readyz`)).json()
  const checked = { timeout: 5000, interval: 100 }
  await expect.poll(readiness, checked).toEqual({ status: 'ready' })
  for (const seconds of [60, -60]) {
    shiftClock(seconds / 86_400)
    await expect.poll(readiness, checked).toEqual({ status: 'not ready', reason: 'clock' })
  }
  shiftClock(20 / 86_400)
  await expect.poll(readiness, checked).toEqual({ status: 'ready' })
  const corrected = app.logged.filter((line) => line.includes("this node's clock agrees with the database's again"))
  expect(corrected).toHaveLength(1)
})

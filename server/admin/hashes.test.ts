import { expect, test, vi } from 'vitest'
import { createBrowser, mailedToken, makePerson, PASSWORD } from '../../test/support/browser.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { HASHES } from '../accounts/sessions/hashing.ts'

const app = testApp()

const NEW = 'another horse battery'

const idleInTransactions = async () => {
  const rows = await app.rows<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  )
  return rows[0]?.n
}

test('no transaction is open while passwords wait for their turn to be hashed, and the console answers meanwhile', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const [changes, resets, adds] = [await makePerson(app), await makePerson(app), await makePerson(app)]
  await createBrowser(app).post('/auth/request-password-reset', { email: resets.email })
  const token = await mailedToken(app, resets.email)

  const take = vi.spyOn(app.ctx.bounds, 'takeSlot')
  for (let i = 0; i < HASHES.running; i++) await app.ctx.bounds.takeSlot(HASHES, '')
  const signUp = (email: string) => createBrowser(app).signUp(email)
  const calls = [
    ...Array.from({ length: 6 }, (_, i) => signUp(`waits${i}@people.example`)),
    signUp(owner.email),
    createBrowser(app).signIn(owner.email),
    createBrowser(app).signIn('nobody@people.example'),
    changes.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW }),
    createBrowser(app).post('/auth/reset-password', { newPassword: NEW, token }),
    adds.post('/auth/two-factor/enable', { password: PASSWORD }),
  ]
  await expect.poll(() => take.mock.calls.length, { timeout: 20_000 }).toBe(HASHES.running + calls.length)
  expect(await idleInTransactions()).toBe(0)
  expect((await owner.query('sites.list', { tenant: tenant.slug })).status).toBe(200)

  for (let i = 0; i < HASHES.running; i++) app.ctx.bounds.giveSlotBack(HASHES, '')
  const answers = await Promise.all(calls)
  const answered = answers.filter(({ status }) => status !== 503)
  expect(answered.map(({ status }) => status).filter((status) => status !== 200 && status !== 401)).toEqual([])
  // a slow machine may not finish all at once; it never blames the person
  const late = answers.filter(({ status }) => status === 503)
  expect(late.map(({ headers }) => headers.get('retry-after'))).toEqual(late.map(() => '1'))
  expect(answered.length).toBeGreaterThan(0)
  take.mockRestore()
})

test('a sign-up and a sign-in are answered 503 with Retry-After while too many hashes wait', async () => {
  for (let i = 0; i < HASHES.running; i++) await app.ctx.bounds.takeSlot(HASHES, '')
  const waiting = Array.from({ length: HASHES.waiting }, () => app.ctx.bounds.takeSlot(HASHES, ''))
  const browser = createBrowser(app)
  for (const { status, headers, body } of [
    await browser.signUp('late@people.example'),
    await browser.signIn('nobody@people.example'),
  ])
    expect([status, headers.get('retry-after'), body]).toEqual([503, '2', { error: 'unavailable' }])
  for (let i = 0; i < HASHES.running + HASHES.waiting; i++) app.ctx.bounds.giveSlotBack(HASHES, '')
  await Promise.all(waiting)
})

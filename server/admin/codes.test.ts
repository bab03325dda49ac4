import { expect, test } from 'vitest'
import { createBrowser, makePerson, PASSWORD, type SignedIn } from '../../test/support/browser.ts'
import { testApp } from '../../test/support/testApp.ts'
import { enableTotp } from '../../test/support/totp.ts'
import { authOf } from '../accounts/sessions/auth.ts'
import { judgeRecovery } from '../accounts/sessions/codes.ts'

const app = testApp()

type Factor = 'totp' | 'backup-code'

/** Sends a code in a sign-in of its own that waits for it. */
async function waiting({ email }: SignedIn, factor: Factor = 'totp') {
  const browser = createBrowser(app)
  await browser.signIn(email)
  const send = (code: string) => browser.post(`/auth/two-factor/verify-${factor}`, { code })
  return Object.assign(send, { browser })
}

/** So many of them, because better-auth checks the codes of one sign-in in turn. */
async function waitingMany(count: number, person: SignedIn, factor?: Factor) {
  const sends: Awaited<ReturnType<typeof waiting>>[] = []
  for (let i = 0; i < count; i++) sends.push(await waiting(person, factor))
  return sends
}

const lockEmails = async ({ email }: SignedIn) =>
  (await app.emails()).filter(({ to, subject }) => to === email && subject.startsWith('Five wrong codes'))

test('a code counts once', async () => {
  const person = await makePerson(app)
  const { code } = await enableTotp(person)
  const [first, second] = [await waiting(person), await waiting(person)]
  const used = await code()
  const replies = await Promise.all([first(used), second(used)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
})

test('of thirty codes at once, at most five wrong ones are checked', async () => {
  const person = await makePerson(app)
  const { code } = await enableTotp(person)
  const sends = await waitingMany(30, person)
  const right = await code()
  const replies = await Promise.all(sends.map((send, i) => send(i === 29 ? right : '000000')))
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  expect(count(401)).toBeLessThanOrEqual(5)
  expect(count(200) + count(401) + count(429)).toBe(30)
  expect(count(200)).toBeLessThanOrEqual(1)
})

test('five wrong codes lock for ten minutes, even for the right code, and the next five for twenty', async () => {
  const person = await makePerson(app)
  const { code } = await enableTotp(person)
  const send = await waiting(person)
  const fail = async () => {
    for (let i = 0; i < 5; i++) expect((await send('000000')).status).toBe(401)
    return send('000000')
  }
  const locked = await fail()
  expect(locked.status).toBe(429)
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(590)
  const right = await code()
  expect((await send(right)).status).toBe(429)
  expect(await lockEmails(person)).toHaveLength(1)

  const pass = () =>
    app.sql.query("update two_factor set locked_until = now() - interval '1 s' where user_id = $1", [person.userId])
  await pass()
  expect(Number((await fail()).headers.get('retry-after'))).toBeGreaterThan(1190)
  expect(await lockEmails(person)).toHaveLength(1)
  await pass()
  expect((await send(right)).status).toBe(200)
})

test('right codes do not count towards the lock', async () => {
  const person = await makePerson(app)
  const { code } = await enableTotp(person)
  const right = await code()
  for (let i = 0; i < 6; i++) {
    expect((await (await waiting(person))(right)).status).toBe(200)
    await app.sql.query('update two_factor set last_used_step = null where user_id = $1', [person.userId])
  }
})

test('wrong recovery codes count towards the same lock as wrong codes of the app', async () => {
  const person = await makePerson(app)
  const { code, backupCodes } = await enableTotp(person)
  const recover = async (given: string) => (await waiting(person, 'backup-code'))(given)
  const send = await waiting(person)
  for (let i = 0; i < 3; i++) expect((await recover('aaaaa-bbbbb')).body).toMatchObject({ code: 'INVALID_BACKUP_CODE' })
  for (let i = 0; i < 2; i++) expect((await send('000000')).status).toBe(401)
  expect((await recover(backupCodes[0])).status).toBe(429)
  expect((await send(await code())).status).toBe(429)
  expect(await lockEmails(person)).toHaveLength(1)
  await app.sql.query('update two_factor set locked_until = null where user_id = $1', [person.userId])
  expect((await recover(backupCodes[0])).status).toBe(200)
})

test('of thirty recovery codes at once, at most five wrong ones are checked', async () => {
  const person = await makePerson(app)
  await enableTotp(person)
  const sends = await waitingMany(30, person, 'backup-code')
  const replies = await Promise.all(sends.map((send) => send('aaaaa-bbbbb')))
  expect(replies.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]))
})

test('recovery codes have one case and no look-alikes, and count however they are written', async () => {
  const person = await makePerson(app)
  const { backupCodes } = await enableTotp(person)
  for (const one of backupCodes) expect(one).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
  const recover = async (given: string) => (await (await waiting(person, 'backup-code'))(given)).status
  const [first, second, third] = backupCodes
  expect(await recover(` ${first.toUpperCase()} `)).toBe(200)
  expect(await recover(first)).toBe(401)
  expect(await recover(String(second).replace('-', ' '))).toBe(200)
  const proof = { password: PASSWORD, code: String(third).replace('-', '').toUpperCase() }
  expect((await person.post('/auth/two-factor/generate-backup-codes', proof)).status).toBe(200)
})

test('one recovery code sent by ten sign-ins at once signs in one of them', async () => {
  const person = await makePerson(app)
  const { backupCodes } = await enableTotp(person)
  const sends = await waitingMany(10, person, 'backup-code')
  await Promise.all(sends.map((send) => send(backupCodes[0])))
  const sessions = await Promise.all(sends.map(({ browser }) => browser.query('session.me')))
  expect(sessions.filter(({ data }) => data !== null)).toHaveLength(1)
})

test('two different recovery codes at once are both right, and none counts towards the lock', async () => {
  const person = await makePerson(app)
  const { backupCodes } = await enableTotp(person)
  const counted = async () =>
    (
      await app.rows('select failed_verification_count as n, locked_until from two_factor where user_id = $1', [
        person.userId,
      ])
    )[0]
  const { secretConfig } = await (await authOf(app.ctx)).$context
  const use = (code: string) => judgeRecovery(app.ctx, secretConfig, { userId: person.userId, code, use: true })
  const [first, second, ...others] = backupCodes
  for (const pair of [[first, second], others.slice(0, 2), others.slice(2, 4)]) {
    const verdicts = await Promise.all(pair.map((code) => use(String(code))))
    expect(verdicts).toEqual(pair.map((code) => ({ verdict: 'right', code })))
  }
  expect(await counted()).toEqual({ n: 0, locked_until: null })
  expect(await use(first)).toEqual({ verdict: 'wrong' })
})

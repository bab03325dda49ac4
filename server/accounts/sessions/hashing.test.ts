import { hashPassword } from 'better-auth/crypto'
import { expect, test, vi } from 'vitest'
import { createBrowser, makePerson, PASSWORD } from '../../../test/support/browser.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { enableTotp } from '../../../test/support/totp.ts'
import { readConfig } from '../../kit/config/config.ts'
import { createHashing, HASHES } from './hashing.ts'

const app = testApp()

test('hashes with scrypt N = 2^17, r = 8, p = 1 and stores these parameters', async () => {
  const { hash, verify } = createHashing({ ...app.ctx, config: readConfig({}) })
  const one = await hash(PASSWORD)
  expect(one).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verify({ hash: one, password: PASSWORD })).toBe(true)
  expect(await verify({ hash: one, password: `${PASSWORD}.` })).toBe(false)
})

test('a hash that waited for more than 10 seconds is refused when its turn comes, and leaves it to the next', async () => {
  const { bounds } = app.ctx
  const { hash } = createHashing(app.ctx)
  vi.useFakeTimers({ toFake: ['performance'] })
  for (let i = 0; i < HASHES.running; i++) await bounds.takeSlot(HASHES, '')
  const late = hash(PASSWORD).catch((error: unknown) => error)
  vi.advanceTimersByTime(10_001)
  const next = hash(PASSWORD)
  bounds.giveSlotBack(HASHES, '')
  expect(await late).toMatchObject({ code: 'unavailable', retryAfter: 2 })
  expect(await next).toMatch(/^\$scrypt\$/)
  bounds.giveSlotBack(HASHES, '')
  vi.useRealTimers()
})

test('hashes of the same password differ', async () => {
  const { hash } = createHashing(app.ctx)
  expect(await hash(PASSWORD)).not.toBe(await hash(PASSWORD))
})

test('a hash of the earlier cost is verified, and replaced at the next successful sign-in', async () => {
  const { email, userId } = await makePerson(app)
  const stored = async () =>
    (await app.ctx.prisma.account.findFirstOrThrow({ where: { userId }, select: { password: true } })).password
  const former = await hashPassword(PASSWORD)
  await app.ctx.prisma.account.updateMany({ where: { userId }, data: { password: former } })
  expect((await createBrowser(app).signIn(email, 'not the password')).status).toBe(401)
  expect(await stored()).toBe(former)
  expect((await createBrowser(app).signIn(email)).status).toBe(200)
  const renewed = await stored()
  expect(renewed).toMatch(/^\$scrypt\$/)
  expect((await createBrowser(app).signIn(email)).status).toBe(200)
  expect(await stored()).toBe(renewed)
})

test('a sign-in that waits for a code renews the hash too, and its code is still asked for', async () => {
  const person = await makePerson(app)
  const { userId, email } = person
  await enableTotp(person)
  await app.ctx.prisma.account.updateMany({ where: { userId }, data: { password: await hashPassword(PASSWORD) } })
  expect((await createBrowser(app).signIn(email)).body).toMatchObject({ twoFactorRedirect: true })
  expect((await app.ctx.prisma.account.findFirstOrThrow({ where: { userId } })).password).toMatch(/^\$scrypt\$/)
})

test.each(['', 'x', '$scrypt$ln=17,r=8,p=1$$', '$scrypt$ln=40,r=8,p=1$c2FsdA$aGFzaA'])(
  'refuses a stored value that is no hash: %j',
  async (hash) => {
    expect(await createHashing({ ...app.ctx, config: readConfig({}) }).verify({ hash, password: PASSWORD })).toBe(false)
  },
)

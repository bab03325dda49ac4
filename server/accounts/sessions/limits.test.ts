import { expect, test } from 'vitest'
import { createLocalLimiter } from '../../kit/limits/limiter.ts'
import { type Attempt, SIGN_IN, takeAttempt } from './limits.ts'

const attempt = (changes: Partial<Attempt>): Attempt => ({
  path: SIGN_IN,
  address: '10.0.0.1',
  email: 'ada@people.example',
  userId: undefined,
  known: false,
  ...changes,
})

/** Makes failed attempts until the limits refuse; returns how many they allowed, at most 500. */
function createGuesser() {
  const limiter = createLocalLimiter()
  return async (changes: (i: number) => Partial<Attempt>): Promise<number> => {
    for (let i = 0; i < 500; i++) {
      const refused = await takeAttempt({ limiter }, attempt(changes(i))).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (refused === undefined) continue
      expect(refused).toMatchObject({ code: 'rate-limited', retryAfter: expect.any(Number) })
      return i
    }
    return 500
  }
}

test('allows ten failed attempts per account from one network, counting a /64 as one', async () => {
  const guess = createGuesser()
  expect(await guess(() => ({}))).toBe(10)
  expect(await guess((i) => ({ email: 'v6@people.example', address: `2001:db8::${i + 1}` }))).toBe(10)
})

test('allows thirty failed attempts from one network for all accounts together, and 480 from a /48', async () => {
  const guess = createGuesser()
  expect(await guess((i) => ({ email: `p${i}@people.example` }))).toBe(30)
  const address = (i: number) => `2001:db8:77:${(i * 64).toString(16)}::1`
  expect(await guess((i) => ({ email: `v6-${i}@people.example`, address: address(i) }))).toBe(480)
})

test('allows thirty failed attempts per account from all networks, and does not limit a known browser by them', async () => {
  const guess = createGuesser()
  expect(await guess((i) => ({ address: `10.0.1.${i}` }))).toBe(30)
  expect(await guess(() => ({ address: '10.0.2.1' }))).toBe(0)
  expect(await guess((i) => ({ address: `10.0.3.${i}`, known: true }))).toBe(10)
})

test('allows a session thirty failed password attempts from all networks, whatever address it sends', async () => {
  const guess = createGuesser()
  const stolen = (i: number) => ({ path: '/change-password', userId: 'somebody', email: `p${i}@people.example` })
  expect(await guess((i) => ({ ...stolen(i), address: `10.0.1.${i}` }))).toBe(30)
  expect(await guess((i) => ({ ...stolen(i), path: '/two-factor/disable', address: '10.0.2.1' }))).toBe(0)
})

test('allows five e-mails per address and twenty per network, and counts only those that were sent', async () => {
  const guess = createGuesser()
  const kinds = ['/sign-up/email', '/request-password-reset', '/send-verification-email']
  const path = (i: number) => kinds[i % kinds.length] ?? ''
  expect(await guess((i) => ({ path: path(i), address: `10.0.1.${i}` }))).toBe(5)
  expect(await guess((i) => ({ path: path(i), email: `p${i}@people.example`, address: '10.0.2.1' }))).toBe(20)
  const limiter = createLocalLimiter()
  const ask = () => takeAttempt({ limiter }, attempt({ path: '/request-password-reset' }))
  for (let i = 0; i < 20; i++) await (await ask())(i % 2 === 0 ? 'refused' : 'failed')
  for (let i = 0; i < 5; i++) await (await ask())('done')
  await expect(ask()).rejects.toMatchObject({ code: 'rate-limited' })
})

test('does not count successful and refused attempts', async () => {
  const limiter = createLocalLimiter()
  for (let i = 0; i < 50; i++) await (await takeAttempt({ limiter }, attempt({})))(i % 2 === 0 ? 'done' : 'failed')
  for (let i = 0; i < 10; i++) await takeAttempt({ limiter }, attempt({}))
  for (let i = 0; i < 40; i++) await expect(takeAttempt({ limiter }, attempt({}))).rejects.toThrow('rate-limited')
  // twenty of the network's thirty are left for its other accounts
  for (let i = 0; i < 20; i++) await takeAttempt({ limiter }, attempt({ email: `p${i}@people.example` }))
  await expect(takeAttempt({ limiter }, attempt({ email: 'last@people.example' }))).rejects.toThrow('rate-limited')
})

test('allows 120 requests a minute per network', async () => {
  expect(await createGuesser()(() => ({ path: '/update-user', email: undefined }))).toBe(120)
})

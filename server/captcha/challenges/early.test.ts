import { expect, test } from 'vitest'
import { ageChallenge } from '../../../test/support/age.ts'
import { askChallenge } from '../../../test/support/challenge.ts'
import { makeSite } from '../../../test/support/make.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'
import { sealChallenge } from './sealed.ts'

const app = testApp()
const site = testSite(app, { policy: { networkLimit: 6 } })

/** A challenge with a minimum age in seconds that any solution solves. */
async function takeRaised(address: string, keys = site, minAge = 10) {
  const { intentId, challenge: opened } = await askChallenge(app, keys, { address })
  const ids = { intentId, siteId: keys.siteId }
  const challenge = sealChallenge(app.ctx.keyring, { ...opened, minAge, target: 2 ** 32 - 1, count: 1 })
  const solve = (seconds = 0) =>
    app.client.solve(
      keys,
      {
        intent_id: intentId,
        challenge: ageChallenge(app.ctx.keyring, challenge, ids, seconds),
        solution: Buffer.alloc(4).toString('base64url'),
      },
      { address },
    )
  return { solve }
}

test('a solution is refused before the challenge’s minimum age, and accepted afterwards', async () => {
  const { solve } = await takeRaised('10.1.1.1')
  const early = await solve()
  expect([early.status, early.body]).toEqual([429, { error: 'rate-limited' }])
  expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(10)
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(5)
  expect((await solve(10)).status).toBe(200)
})

test('a challenge without a minimum age is never early, also when the clock was set back after it was issued', async () => {
  const { solve } = await takeRaised('10.1.1.5', site, 0)
  expect((await solve(-3)).status).toBe(200)
})

test('early solutions of one visitor take nothing from others of the network', async () => {
  const { solve } = await takeRaised('10.1.1.2')
  for (let i = 0; i < 20; i++) expect((await solve()).status).toBe(429)
  expect((await solve(10)).status).toBe(200)
  const other = await takeRaised('10.1.1.2')
  expect((await other.solve(10)).status).toBe(200)
})

test('an early solution is not counted as an attempt', async () => {
  const other = await makeSite(app.ctx)
  const { solve } = await takeRaised('10.1.1.3', other)
  for (let i = 0; i < 12; i++) expect((await solve()).status).toBe(429)
  expect((await solve(10)).status).toBe(200)
})

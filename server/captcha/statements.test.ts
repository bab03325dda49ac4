import { expect, test, vi } from 'vitest'
import { newNonce } from '../../test/support/client.ts'
import { makeSite } from '../../test/support/make.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp()

/** Sent later, by write buffers, or not waited for. */
const BEHIND = new Set(['add_usage', 'record_refusals', 'note_secret_use'])

test('a verification takes three statements, besides the look-up of its site that is then cached', async () => {
  const site = await makeSite(app.ctx)
  const query = vi.spyOn(app.ctx.hotPool, 'query')
  const prisma = vi.spyOn(app.ctx.prisma, '$queryRaw')
  const taken = () => {
    const names = query.mock.calls.map(([{ name }]) => name ?? '')
    query.mockClear()
    return names.filter((name) => !BEHIND.has(name))
  }
  async function verify() {
    const subject = 'a'.repeat(64)
    const { body } = await app.client.intent(site, { subject })
    const opened = taken()
    const { body: puzzle } = await app.client.challenge(site, body['intent_id'])
    const challenged = taken()
    const solution = solvePuzzles(puzzle as { seed: string; count: number; target: number })
    const solved = await app.client.solve(site, {
      intent_id: body['intent_id'],
      challenge: puzzle['challenge'],
      solution,
    })
    const judged = taken()
    const reply = await app.client.siteverify(site, {
      response: solved.body['response'],
      intent_id: body['intent_id'],
      action: 'checkout',
      hostname: 'shop.example',
      idempotency_key: newNonce(),
    })
    expect(reply.status).toBe(200)
    return { opened, challenged, judged, redeemed: taken() }
  }
  const first = await verify()
  expect(first.opened).toEqual(['site_by_secret', 'open_intents'])
  expect(first.challenged).toEqual(['site_by_sitekey', 'find_intents'])
  expect(first.judged).toEqual([])
  // the cache of sites lasts five seconds, which a slow machine may need
  expect(first.redeemed.filter((name) => name !== 'site_by_secret')).toEqual(['redeem'])
  expect(prisma).not.toHaveBeenCalled()
})

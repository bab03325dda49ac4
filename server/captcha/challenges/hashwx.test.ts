import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type Puzzles, solvePuzzles } from '../../../test/support/solver.ts'
import { COUNT, SPAN, targetFor } from './kinds/powHashwx.ts'

const BOTH = ['pow-hashwx', 'pow-sha256']
const ADDRESS = '203.0.113.9'

let app: TestApp
const sites = {} as Record<'sha256' | 'hashwx' | 'auto', MadeSite>
beforeAll(async () => {
  app = await openTestApp()
  for (const challengeKind of ['sha256', 'hashwx', 'auto'] as const)
    sites[challengeKind] = await makeSite(app.ctx, { policy: { challengeKind, workMode: 'fixed', networkLimit: 6000 } })
})
afterAll(() => app.close())

type Reply = Puzzles & { kind: string; challenge: string }

async function take(keys: MadeSite, visit: { kinds?: string[]; address?: string }) {
  const intent_id = String((await app.client.intent(keys)).body['intent_id'])
  const challenge = await app.client.challenge(keys, intent_id, visit)
  return { intent_id, puzzle: challenge.body as unknown as Reply, reply: challenge }
}

test.each(['hashwx', 'auto'] as const)(
  'a client that offers it gets pow-hashwx from a site of kind %s',
  async (kind) => {
    const { intent_id, puzzle } = await take(sites[kind], { kinds: BOTH })
    expect(puzzle).toEqual({
      kind: 'pow-hashwx',
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      seed: expect.stringMatching(/^[0-9a-f]{64}$/),
      count: COUNT,
      target: targetFor(64),
      span: SPAN,
      expires_at: expect.any(Number),
    })
    const solution = { intent_id, challenge: puzzle.challenge, solution: solvePuzzles(puzzle) }
    expect((await app.client.solve(sites[kind], solution)).body['response']).toMatch(/^tgr_/)
    // the same solution gets the same answer
    expect((await app.client.solve(sites[kind], solution)).status).toBe(200)
    const only = await take(sites[kind], { kinds: ['pow-hashwx'] })
    expect(only.puzzle.kind).toBe('pow-hashwx')
  },
)

test('a token of pow-hashwx is redeemed like any other', async () => {
  const earned = await app.client.earn(sites.hashwx, {}, { kinds: BOTH })
  expect((await app.client.siteverify(sites.hashwx, earned)).body['success']).toBe(true)
})

test('a wrong solution ends its challenge', async () => {
  const { intent_id, puzzle } = await take(sites.hashwx, { kinds: BOTH })
  const solve = (solution: string) =>
    app.client.solve(sites.hashwx, { intent_id, challenge: puzzle.challenge, solution })
  const short = Buffer.from(solvePuzzles(puzzle), 'base64url').subarray(4).toString('base64url')
  expect((await solve(short)).body).toEqual({ error: 'solution-invalid' })
  expect((await solve(solvePuzzles(puzzle))).body).toEqual({ error: 'challenge-expired' })
})

test('a solution of one kind does not solve the other', async () => {
  const one = await take(sites.auto, { kinds: BOTH })
  const two = await take(sites.auto, { kinds: ['pow-sha256'] })
  const solve = (from: typeof one, solution: string) =>
    app.client.solve(sites.auto, { intent_id: from.intent_id, challenge: from.puzzle.challenge, solution })
  expect((await solve(one, solvePuzzles(two.puzzle))).body).toEqual({ error: 'solution-invalid' })
  expect((await solve(two, solvePuzzles(one.puzzle))).body).toEqual({ error: 'solution-invalid' })
})

test('a site of kind sha256 issues pow-sha256 only', async () => {
  expect((await take(sites.sha256, { kinds: BOTH })).puzzle.kind).toBe('pow-sha256')
  const { reply } = await take(sites.sha256, { kinds: ['pow-hashwx'] })
  expect([reply.status, reply.body]).toEqual([422, { error: 'bad-request', field: 'kinds' }])
})

test('clients that cannot solve pow-hashwx get pow-sha256, at a difficulty that rises with their number in a network', async () => {
  const targets: number[] = []
  for (let i = 0; i < 62; i++) {
    const { puzzle } = await take(sites.auto, { address: ADDRESS })
    expect(puzzle.kind).toBe('pow-sha256')
    targets.push(puzzle.target)
  }
  const usual = 2 ** 31
  expect(targets[0]).toBe(usual)
  expect(targets[19]).toBe(usual)
  expect(targets[20]).toBe(usual / 2)
  expect(targets[40]).toBe(usual / 4)
  expect(targets[61]).toBe(usual / 8)
  expect((await take(sites.auto, { address: '203.0.113.10' })).puzzle.target).toBe(usual)
  // pow-hashwx is not rationed
  expect((await take(sites.auto, { address: ADDRESS, kinds: BOTH })).puzzle.target).toBe(targetFor(64))
})

test('a site of kind hashwx gives clients that cannot solve it eight times the difficulty', async () => {
  expect((await take(sites.hashwx, {})).puzzle).toMatchObject({ kind: 'pow-sha256', target: 2 ** 28 })
})

import { beforeAll, expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type Puzzles, solvePuzzles } from '../../../test/support/solver.ts'
import { testApp } from '../../../test/support/testApp.ts'
import type { VisitorCtx } from '../../accounts/access.ts'
import { ClientAddress } from '../../kit/http/client.ts'
import { hashedNetworks } from './difficulty/signals.ts'
import { MAX_WORK } from './difficulty/work.ts'
import { COUNT, SPAN, targetFor } from './kinds/powHashwx.ts'
import { targetFor as sha256Target } from './kinds/powSha256.ts'
import { COUNTS } from './networks/counts.ts'

const BOTH = ['pow-hashwx', 'pow-sha256']
const ADDRESS = '203.0.113.9'

const app = testApp()
const sites = {} as Record<'sha256' | 'hashwx' | 'auto', MadeSite>
beforeAll(async () => {
  for (const challengeKind of ['sha256', 'hashwx', 'auto'] as const)
    sites[challengeKind] = await makeSite(app.ctx, { policy: { challengeKind, workMode: 'fixed', networkLimit: 6000 } })
})

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

const usual = 2 ** 31
const ofBudget = 2 ** 32 / ((64 * 12) / 32)
const targetOf = async (keys: MadeSite, address: string, kinds = ['pow-sha256']) =>
  (await take(keys, { address, kinds })).puzzle.target

test('clients that cannot solve pow-hashwx get pow-sha256: some at the usual difficulty, and beyond the budget at twelve times as much', async () => {
  const targets: number[] = []
  for (let i = 0; i < 20; i++) targets.push(await targetOf(sites.auto, `203.0.${i}.9`))
  const within = targets.filter((target) => target === usual).length
  // 5 a minute, of which the first minutes can be used at once; other tests have used some
  expect(within).toBeGreaterThan(10)
  expect(within).toBeLessThanOrEqual(15)
  expect(targets.slice(within)).toEqual(targets.slice(within).map(() => Math.floor(ofBudget)))
  // one site's budget is that of all, also for other addresses
  expect(
    await targetOf(await makeSite(app.ctx, { policy: { challengeKind: 'auto', workMode: 'fixed' } }), ADDRESS),
  ).toBe(Math.floor(ofBudget))
  // pow-hashwx has no budget
  expect(await targetOf(sites.auto, ADDRESS, BOTH)).toBe(targetFor(64))
})

test('in attack mode, pow-sha256 is for networks that had it before, and for others as far as the budget allows, one after the other', async () => {
  const attacked = await makeSite(app.ctx, { policy: { challengeKind: 'auto', workMode: 'attack' } })
  const counts = app.ctx.resources.of(COUNTS)
  const now = app.ctx.clock.now()
  counts.of('fallback').count('', now, -1000)
  const [known] = hashedNetworks({
    ...app.ctx,
    visitor: { address: new ClientAddress('198.51.100.1') },
  } as unknown as VisitorCtx)
  counts.of('fallbackUsual').count(known?.key ?? '', now)
  const ask = async (address: string) => (await take(attacked, { address })).reply
  const usualInAttack = await ask('198.51.100.1')
  expect([usualInAttack.status, usualInAttack.body['target']]).toEqual([200, sha256Target(MAX_WORK)])
  const [first, second] = [await ask('198.51.100.2'), await ask('198.51.100.3')]
  expect([first.status, second.status]).toEqual([429, 429])
  const waits = [first, second].map(({ headers }) => Number(headers.get('retry-after')))
  // 5 a minute
  expect(waits[0]).toBeLessThanOrEqual(13)
  expect(waits[1]).toBeGreaterThan(waits[0] ?? 0)
})

test('a site of kind hashwx gives clients that cannot solve it twelve times the difficulty', async () => {
  expect(await targetOf(sites.hashwx, ADDRESS)).toBe(Math.floor(ofBudget))
})

import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { solvePuzzles } from '../../../test/support/solver.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)

type Puzzle = { challenge: string; seed: string; count: number; target: number; expires_at: number }

async function take(keys = site) {
  const intent = await app.client.intent(keys)
  const intent_id = String(intent.body['intent_id'])
  const puzzle = (await app.client.challenge(keys, intent_id)).body as unknown as Puzzle
  return { intent, intent_id, puzzle }
}

const solve = (intent_id: string, challenge: string, solution: string, keys = site) =>
  app.client.solve(keys, { intent_id, challenge, solution })

test('issues a new challenge each time; solving it gives a token that expires with its intent', async () => {
  const { intent, intent_id, puzzle } = await take()
  const again = (await app.client.challenge(site, intent_id)).body
  expect(puzzle).toEqual({
    kind: 'pow-sha256',
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
    seed: expect.stringMatching(/^[0-9a-f]{32}$/),
    count: 32,
    target: 2 ** 31,
    expires_at: expect.any(Number),
  })
  expect(again['seed']).not.toBe(puzzle.seed)
  const solved = await solve(intent_id, puzzle.challenge, solvePuzzles(puzzle))
  expect(solved.body).toEqual({
    response: expect.stringMatching(/^tgr_[A-Za-z0-9_-]{1,508}$/),
    expires_at: intent.body['expires_at'],
  })
})

test('rejects a solution with one wrong nonce', async () => {
  const { intent_id, puzzle } = await take()
  const right = Buffer.from(solvePuzzles(puzzle), 'base64url')
  const { createHash } = await import('node:crypto')
  for (let nonce = 0; ; nonce++) {
    right.writeUInt32BE(nonce, 31 * 4)
    const block = Buffer.concat([Buffer.from(puzzle.seed, 'hex'), Buffer.from([0, 0, 0, 31]), right.subarray(-4)])
    if (createHash('sha256').update(block).digest().readUInt32BE(0) >= puzzle.target) break
  }
  expect((await solve(intent_id, puzzle.challenge, right.toString('base64url'))).body).toEqual({
    error: 'solution-invalid',
  })
})

test('rejects too few or too many nonces as a wrong solution', async () => {
  const { intent_id } = await take()
  const wrong: ((right: Buffer) => Buffer)[] = [
    (right) => right.subarray(0, -4),
    (right) => right.subarray(0, -1),
    (right) => Buffer.concat([right, Buffer.alloc(4)]),
    () => Buffer.alloc(1),
  ]
  for (const change of wrong) {
    const puzzle = (await app.client.challenge(site, intent_id)).body as unknown as Puzzle
    const right = Buffer.from(solvePuzzles(puzzle), 'base64url')
    const reply = await solve(intent_id, puzzle.challenge, change(right).toString('base64url'))
    expect([reply.status, reply.body]).toEqual([422, { error: 'solution-invalid' }])
  }
})

test('rejects non-canonical base64url of a solution', async () => {
  const { intent_id, puzzle } = await take()
  const right = solvePuzzles(puzzle)
  const spare = `${right.slice(0, -1)}${String.fromCharCode(right.charCodeAt(right.length - 1) + 1)}`
  expect((await solve(intent_id, puzzle.challenge, spare)).body).toEqual({ error: 'bad-request', field: 'solution' })
})

test('refuses an altered challenge and one of another intent or site', async () => {
  const one = await take()
  const two = await take()
  const other = await makeSite(app.ctx)
  const foreign = await take(other)
  const altered = `${one.puzzle.challenge.slice(0, 40)}${one.puzzle.challenge[40] === 'A' ? 'B' : 'A'}${one.puzzle.challenge.slice(41)}`
  for (const challenge of [two.puzzle.challenge, foreign.puzzle.challenge, altered]) {
    expect((await solve(one.intent_id, challenge, solvePuzzles(one.puzzle))).body).toEqual({
      error: 'bad-request',
      field: 'challenge',
    })
  }
})

test('does not accept a challenge as a token or a token as a challenge', async () => {
  const earned = await app.client.earn(site)
  const { intent_id, puzzle } = await take()
  expect(
    (await app.client.siteverify(site, { ...earned, intent_id, response: `tgr_${puzzle.challenge}` })).body,
  ).toEqual({ error: 'response-invalid' })
  expect((await solve(String(earned['intent_id']), String(earned['response']).slice(4), 'AAAA')).body).toEqual({
    error: 'bad-request',
    field: 'challenge',
  })
})

test('a wrong solution invalidates all earlier challenges of the intent, but not one issued right afterwards', async () => {
  const { intent_id, puzzle } = await take()
  const sister = (await app.client.challenge(site, intent_id)).body as unknown as Puzzle
  expect((await solve(intent_id, puzzle.challenge, 'AAAA')).status).toBe(422)
  // in the same second, by the same clock
  const next = (await app.client.challenge(site, intent_id)).body as unknown as Puzzle
  for (const ended of [puzzle, sister]) {
    const reply = await solve(intent_id, ended.challenge, solvePuzzles(ended))
    expect([reply.status, reply.body]).toEqual([409, { error: 'challenge-expired' }])
  }
  expect((await solve(intent_id, next.challenge, solvePuzzles(next))).status).toBe(200)
})

test('limits an intent after ten wrong solutions and does not affect other intents', async () => {
  const { intent_id } = await take()
  const fresh = async () => (await app.client.challenge(site, intent_id)).body as unknown as Puzzle
  for (let i = 0; i < 10; i++) expect((await solve(intent_id, (await fresh()).challenge, 'AAAA')).status).toBe(422)
  const last = await fresh()
  const limited = await solve(intent_id, last.challenge, solvePuzzles(last))
  expect([limited.status, limited.body]).toEqual([429, { error: 'rate-limited' }])
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(200)
  const other = await take()
  expect((await solve(other.intent_id, other.puzzle.challenge, solvePuzzles(other.puzzle))).status).toBe(200)
})

test('verifies at most ten of fifty concurrent wrong solutions', async () => {
  for (let round = 0; round < 5; round++) {
    const { intent_id, puzzle } = await take()
    const right = solvePuzzles(puzzle)
    const replies = await Promise.all(
      Array.from({ length: 51 }, (_, i) => solve(intent_id, puzzle.challenge, i === 25 ? right : 'AAAA')),
    )
    const wrong = replies.toSpliced(25, 1)
    const judged = wrong.filter(({ status }) => status === 422).length
    expect(judged).toBeGreaterThanOrEqual(1)
    expect(judged).toBeLessThanOrEqual(10)
    const unjudged = new Set(wrong.filter(({ status }) => status !== 422).map(({ text }) => text))
    unjudged.delete('{"error":"challenge-expired"}')
    unjudged.delete('{"error":"rate-limited"}')
    expect([...unjudged]).toEqual([])
    expect([200, 409, 429]).toContain(replies[25]?.status)
    // solutions that were not verified do not count
    const next = (await app.client.challenge(site, intent_id)).body as unknown as Puzzle
    expect((await solve(intent_id, next.challenge, solvePuzzles(next))).status).toBe(judged < 10 ? 200 : 429)
  }
})

test('does not count correct solutions towards the limit', async () => {
  const { intent_id, puzzle } = await take()
  const right = solvePuzzles(puzzle)
  for (let i = 0; i < 12; i++) expect((await solve(intent_id, puzzle.challenge, right)).status).toBe(200)
})

test('refuses a challenge for an expired intent', async () => {
  const { intent_id } = await take()
  await app.sql.query("update intent set expires_at = now() - interval '1 s' where id = $1", [intent_id])
  const reply = await app.client.challenge(site, intent_id)
  expect([reply.status, reply.body]).toEqual([409, { error: 'intent-expired' }])
})

test('a challenge expires no later than its intent', async () => {
  const intent = await app.client.intent(site)
  await app.sql.query("update intent set expires_at = date_trunc('second', now()) + interval '30 s' where id = $1", [
    intent.body['intent_id'],
  ])
  const { rows } = await app.sql.query<{ at: number }>(
    'select extract(epoch from expires_at)::float8 as at from intent where id = $1',
    [intent.body['intent_id']],
  )
  const challenge = await app.client.challenge(site, intent.body['intent_id'])
  expect(challenge.body['expires_at']).toBe(rows[0]?.at)
})

test('answers a preflight for any well-formed Origin and reveals nothing about a site', async () => {
  const preflight = (origin: string) =>
    fetch(`${app.url}/solve`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    })
  for (const origin of ['https://shop.example', 'https://nobody.example:8443']) {
    const reply = await preflight(origin)
    expect(reply.status).toBe(204)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  }
  for (const origin of ['null', 'shop.example']) expect((await preflight(origin)).status).toBe(405)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../server/kit/crypto/ids.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { createTestClient, type TestClient } from '../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { type ServerProcess, startTwoProcesses } from '../../test/support/process.ts'
import { type Puzzles, solvePuzzles } from '../../test/support/solver.ts'

/**
 * Attacks on people who share an address with the attacker: a neighbour who sends junk, and a tenant whose page uses its visitors.
 * Against a service with two processes.
 */

let app: TestApp
let server: ServerProcess
let client: TestClient
beforeAll(async () => {
  app = await openTestApp()
  server = await startTwoProcesses(app.databaseUrl)
  client = createTestClient(server.url)
}, 120_000)
afterAll(async () => {
  await server.end()
  await app.close()
})

/** Connections of their own, so that both processes get some of them. */
const APART = { headers: { connection: 'close' } }
const UNKNOWN = '01890000-0000-7000-8000-000000000000'

const open = async (site: MadeSite) => String((await client.intent(site)).body['intent_id'])

/** A visit as the component makes it: it waits for its place, and repeats what came too early. Returns whether it passed, and the seconds waited. */
async function visit(site: MadeSite, address: string): Promise<{ passed: boolean; waited: number; target: number }> {
  const intent_id = await open(site)
  let waited = 0
  const patiently = async (send: () => ReturnType<TestClient['challenge']>) => {
    for (;;) {
      const reply = await send()
      const wait = Number(reply.headers.get('retry-after'))
      if (reply.status !== 429 || wait > 60) return reply
      waited += wait
      await sleep(wait * 1000)
    }
  }
  const asked = await patiently(() => client.challenge(site, intent_id, { address, ...APART }))
  if (asked.status !== 200) return { passed: false, waited, target: 0 }
  const puzzle = asked.body as Puzzles & { challenge: string }
  const values = { intent_id, challenge: puzzle.challenge, solution: solvePuzzles(puzzle) }
  const solved = await patiently(() => client.solve(site, values, { address, ...APART }))
  return { passed: solved.status === 200, waited, target: puzzle.target }
}

const together = <T>(n: number, run: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => run(i)))

test('junk of a neighbour, also with unknown site keys, refuses no visit of the same address and raises no difficulty', async () => {
  const site = await makeSite(app.ctx)
  const address = '198.51.100.61'
  const junk = await together(300, async (i) => {
    if (i % 3 === 0) return client.challenge(site, UNKNOWN, { address, ...APART })
    if (i % 3 === 1)
      return client.challenge({ ...site, sitekey: `tg_site_${String(i).padStart(20, '0')}` }, UNKNOWN, {
        address,
        ...APART,
      })
    return client.solve(site, { intent_id: UNKNOWN, challenge: 'AAAA', solution: 'AAAA' }, { address, ...APART })
  })
  expect(junk.filter(({ status }) => status === 429).length).toBeGreaterThan(50)
  // a site that no process has looked up for a while
  const quiet = await makeSite(app.ctx)
  const visits = [...(await together(60, () => visit(site, address))), await visit(quiet, address)]
  expect(visits.filter(({ passed, waited }) => !passed || waited > 0)).toEqual([])
  expect(new Set(visits.map(({ target }) => target))).toEqual(new Set([2 ** 31]))
}, 120_000)

test('visitors pass beside a neighbour who requests challenges and does not solve them', async () => {
  const site = await makeSite(app.ctx)
  const address = '198.51.100.62'
  const left = await together(170, async () => client.challenge(site, await open(site), { address, ...APART }))
  expect(left.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  // the neighbour does not come back for the places; visitors do
  const visits = await together(8, () => visit(site, address))
  expect(visits.map(({ passed }) => passed)).toEqual(visits.map(() => true))
  // visitors of other addresses do not wait
  expect((await visit(site, '198.51.101.62')).waited).toBe(0)
}, 150_000)

test('a tenant whose page asks for challenges with its visitors, and solves easy ones, costs them nothing elsewhere', async () => {
  // a tenant of age, which counts for others
  const tenantId = newId(Date.now() - 90 * 24 * 3_600_000)
  await app.ctx.prisma.tenant.create({ data: { id: tenantId, slug: 'hostile', name: 'Hostile', monthlyQuota: 1000 } })
  await app.ctx.prisma.balance.create({ data: { tenantId } })
  const hostile = await makeSite(app.ctx, { tenantId, policy: { baseWork: 1024 } })
  const shop = await makeSite(app.ctx)
  const address = '198.51.100.63'
  await together(200, async () => client.challenge(hostile, await open(hostile), { address, ...APART }))
  await together(100, () => visit(hostile, '198.51.100.64'))
  for (const victim of [address, '198.51.100.64', '198.51.100.65']) {
    const { passed, waited, target } = await visit(shop, victim)
    expect({ victim, passed, waited, target }).toEqual({ victim, passed: true, waited: 0, target: 2 ** 31 })
  }
}, 120_000)

test('a place that one process gave is known to the other, and the same solution again and again frees one place', async () => {
  const own = await makeSite(app.ctx)
  const address = '203.0.113.77'
  const ask = async (intent_id: string) => client.challenge(own, intent_id, { address, ...APART })
  const first = await open(own)
  const puzzle = (await ask(first)).body as Puzzles & { challenge: string }
  // both processes know all within seconds, as they exchange what they counted
  let waiting: Awaited<ReturnType<typeof ask>> | undefined
  let intent = ''
  for (let i = 0; i < 200 && waiting?.status !== 429; i++) waiting = await ask((intent = await open(own)))
  expect(waiting?.status).toBe(429)
  const wait = Number(waiting?.headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(60)
  const solution = { intent_id: first, challenge: puzzle.challenge, solution: solvePuzzles(puzzle) }
  for (let i = 0; i < 20; i++) expect((await client.solve(own, solution, { address, ...APART })).status).toBe(200)
  await sleep(1000 * (wait + 0.2))
  // the place is due at whichever process the visitor comes to
  for (let i = 0; i < 4; i++) expect((await ask(intent)).status).toBe(200)
  // 20 repetitions have not freed 20 places: the next visitors wait in line
  const next = []
  for (let i = 0; i < 20; i++) next.push((await ask(await open(own))).status)
  expect(next.filter((status) => status === 429).length).toBeGreaterThan(4)
}, 60_000)

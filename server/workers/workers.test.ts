import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { cookieHeader, makePerson } from '../../test/support/browser.ts'
import { createTestClient, newNonce, type TestClient } from '../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { childrenOf, type ServerProcess, startTwoProcesses } from '../../test/support/process.ts'
import { type Puzzles, solvePuzzles } from '../../test/support/solver.ts'

/** Only its database and its context are used; the requests go to `server`, which has two workers. */
let app: TestApp
let server: ServerProcess
let client: TestClient
let site: MadeSite

beforeAll(async () => {
  app = await openTestApp()
  site = await makeSite(app.ctx, { quota: 1_000_000 })
  server = await startTwoProcesses(app.databaseUrl)
  client = createTestClient(server.url)
}, 120_000)
afterAll(async () => {
  await server.end()
  await app.close()
})

/** The children that run the server: a compiler can be another child, where it runs from its sources. */
const workers = (): number[] =>
  childrenOf(server.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/main'))

/** A request over a connection of its own, which either worker accepts. */
async function challenge({ sitekey }: MadeSite, intent: unknown): Promise<number> {
  const reply = await fetch(`${server.url}/challenge`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: 'https://shop.example',
      'x-forwarded-for': '203.0.113.7',
      connection: 'close',
    },
    body: JSON.stringify({ sitekey, intent_id: intent }),
  })
  await reply.text()
  return reply.status
}

/** How a request over a connection of its own ends: with a status, or with an error. */
const ask = () =>
  new Promise<string>((resolve) => {
    const request = get(`${server.url}/healthz`, { agent: false, timeout: 60_000 }, (reply) => {
      reply.resume()
      resolve(String(reply.statusCode))
    })
    request.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
    request.once('timeout', () => resolve('no answer'))
  })

test('both processes answer, and count the limit of a network together', async () => {
  expect(workers()).toHaveLength(2)
  const strict = await makeSite(app.ctx, { policy: { networkLimit: 20 } })
  const unknown = '01890000-0000-7000-8000-000000000000'
  const statuses = await Promise.all(Array.from({ length: 50 }, () => challenge(strict, unknown)))
  expect(statuses.filter((status) => status === 422)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  // which takes nothing from a visitor of the network
  expect(await challenge(strict, (await client.intent(strict)).body['intent_id'])).toBe(200)
})

/** Over connections of their own, so that both processes get some of them. */
const APART = { headers: { connection: 'close' } }

/** An intent with two challenges: `first` gets a wrong solution, and `sendSecond` sends the right one of the other. */
async function answerWrongly() {
  const { body } = await client.intent(site)
  const intent_id = body['intent_id']
  const [first, second] = await Promise.all(
    [1, 2].map(async () => (await client.challenge(site, intent_id)).body as Puzzles & { challenge: string }),
  )
  if (!first || !second) throw new Error('no challenge')
  const solution = solvePuzzles(second)
  const wrong = Buffer.alloc(first.count * 4).toString('base64url')
  const reply = await client.solve(site, { intent_id, challenge: first.challenge, solution: wrong }, APART)
  expect(reply.body).toMatchObject({ error: 'solution-invalid' })
  return {
    sendSecond: () => client.solve(site, { intent_id, challenge: second.challenge, solution }, APART),
    solveThird: async () => {
      const third = (await client.challenge(site, intent_id)).body as Puzzles & { challenge: string }
      return client.solve(site, { intent_id, challenge: third.challenge, solution: solvePuzzles(third) }, APART)
    },
  }
}

test('a wrong solution at one process ends the challenges of its intent at all', async () => {
  const { sendSecond, solveThird } = await answerWrongly()
  for (let i = 0; i < 4; i++) expect((await sendSecond()).body).toMatchObject({ error: 'challenge-expired' })
  for (let i = 0; i < 2; i++) expect((await solveThird()).status).toBe(200)
})

test('/metrics has the counts of all processes', async () => {
  const read = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text()
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).toContain('tollgate_job_runs_total{task="reconcile",result="success"}')
    return Number(/^tollgate_answers_total\{endpoint="\/intents",code="ok"\} (\d+)$/m.exec(text)?.[1] ?? 0)
  }
  const before = await read()
  for (let i = 0; i < 20; i++) {
    const reply = await fetch(`${server.url}/intents`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${site.secret}`,
        connection: 'close',
      },
      body: JSON.stringify({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' }),
    })
    expect(reply.status).toBe(200)
  }
  expect(await read()).toBe(before + 20)
})

/** Anonymous memory of a process, in MiB. */
const memoryOf = (pid: number): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

test.runIf(process.platform === 'linux')(
  'both processes together hash at most two passwords at once',
  async () => {
    const memory = () =>
      workers()
        .map(memoryOf)
        .reduce((sum, one) => sum + one, 0)
    const pids = workers()
    const before = memory()
    let most = 0
    const done = new AbortController()
    const watch = (async () => {
      while (!done.signal.aborted) {
        most = Math.max(most, pids.map(memoryOf).reduce((sum, one) => sum + one, 0) - before)
        await sleep(10)
      }
    })()
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const reply = await fetch(`${server.url}/auth/sign-in/email`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: server.url.replace('127.0.0.1', 'localhost'),
            connection: 'close',
          },
          body: JSON.stringify({ email: `nobody${i}@people.example`, password: 'not the password' }),
        })
        return reply.status
      }),
    )
    done.abort()
    await watch
    expect(new Set(statuses)).toEqual(new Set([401]))
    // a hash takes 128 MiB: one was seen, and never three
    expect(most).toBeGreaterThan(100)
    expect(most).toBeLessThan(330)
  },
  120_000,
)

test('both processes together give a person five streams', async () => {
  const person = await makePerson(app)
  const created = (await person.mutate('tenants.create', { name: 'Streams' })).data as { slug: string }
  const input = encodeURIComponent(JSON.stringify({ tenant: created.slug }))
  /** Opens a stream over a connection of its own; `isOpen` once it sends decisions. */
  const open = async () => {
    const stop = new AbortController()
    const reply = await fetch(`${server.url}/trpc/decisions.tail?input=${input}`, {
      headers: { cookie: cookieHeader(person.cookies), accept: 'text/event-stream', connection: 'close' },
      signal: stop.signal,
    })
    const reader = reply.body?.getReader()
    let text = ''
    // the reader is kept: the end of a loop over the body would end the stream
    while (!/rows|error/.test(text)) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error(`the stream ended: ${reply.status} ${text}`)
      text += Buffer.from(value as Uint8Array).toString()
    }
    return { isOpen: text.includes('rows'), stop }
  }
  const opened = await Promise.all(Array.from({ length: 8 }, open))
  expect(opened.filter(({ isOpen }) => isOpen)).toHaveLength(5)
  for (const { stop } of opened) stop.abort()
}, 120_000)

/** Opens intents one after another on each of a few connections until it is stopped; returns the statuses. 0: no answer. */
function underLoad(connections: number): { stop(): Promise<number[]> } {
  const stop = new AbortController()
  const statuses: number[] = []
  const loops = Array.from({ length: connections }, async () => {
    while (!stop.signal.aborted) {
      const status = await client.intent(site, { nonce: newNonce() }).then(
        (reply) => reply.status,
        () => 0,
      )
      statuses.push(status)
      await sleep(10)
    }
  })
  return {
    async stop() {
      stop.abort()
      await Promise.all(loops)
      return statuses
    },
  }
}

test('SIGHUP replaces all processes, one after the other, without a failed request', async () => {
  const before = workers()
  const { sendSecond } = await answerWrongly()
  const load = underLoad(8)
  process.kill(server.pid, 'SIGHUP')
  await expect.poll(() => server.output(), { timeout: 60_000 }).toMatch(/"level":30.*"all processes were replaced"/)
  const statuses = await load.stop()
  expect(statuses.length).toBeGreaterThan(10)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(workers()).toHaveLength(2)
  expect(workers().filter((pid) => before.includes(pid))).toEqual([])
  // the new ones know of the wrong solution before
  for (let i = 0; i < 4; i++) expect((await sendSecond()).body).toMatchObject({ error: 'challenge-expired' })
}, 120_000)

test('no connection waits for a process that does not answer: another one accepts it', async () => {
  const [victim] = workers()
  process.kill(Number(victim), 'SIGSTOP')
  expect(await Promise.all(Array.from({ length: 4 }, ask))).toEqual(['200', '200', '200', '200'])
  process.kill(Number(victim), 'SIGKILL')
  await expect.poll(() => workers().filter((pid) => pid !== victim).length, { timeout: 60_000 }).toBe(2)
}, 120_000)

test('a process that is killed is replaced, and what it had answered is not lost', async () => {
  const values = await client.earn(site)
  const first = await client.siteverify(site, values)
  expect(first.status).toBe(200)
  const [victim] = workers()
  process.kill(Number(victim), 'SIGKILL')
  // retried as a merchant's backend does
  let again = await client.siteverify(site, values).catch(() => undefined)
  for (const until = Date.now() + 60_000; again?.status !== 200 && Date.now() < until; ) {
    await sleep(100)
    again = await client.siteverify(site, values).catch(() => undefined)
  }
  expect(again?.text).toBe(first.text)
  await expect.poll(() => workers().filter((pid) => pid !== victim).length, { timeout: 60_000 }).toBe(2)
  expect(server.output()).toContain('a process ended unexpectedly')
}, 120_000)

test('SIGTERM ends all processes', async () => {
  const before = workers()
  expect(await server.end()).toBe(0)
  for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
}, 60_000)

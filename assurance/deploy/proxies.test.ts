import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { newNonce } from '../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { type ServerProcess, startServer } from '../../test/support/process.ts'
import { hasProgram, type Running, startHaproxy, startNginx } from './proxy.ts'

const CLIENTS = 8

/**
 * Calls of merchants, until they are stopped; each connection is used again, as theirs are. POST only: a proxy that learns about a
 * node from other requests has to learn it from these as well.
 */
function startLoad(port: number, site: MadeSite) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS, rejectUnauthorized: false })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${site.secret}` }
  const failures: string[] = []
  let answered = 0
  const stopped = new AbortController()

  const openIntent = () =>
    new Promise<void>((resolve) => {
      const outgoing = request(
        { host: '127.0.0.1', port, agent, method: 'POST', path: '/intents', headers },
        (reply) => {
          const chunks: Buffer[] = []
          reply.on('data', (chunk: Buffer) => chunks.push(chunk))
          reply.on('close', () => {
            answered += 1
            if (reply.statusCode !== 200 || !reply.complete)
              failures.push(`${reply.statusCode} ${Buffer.concat(chunks).toString().slice(0, 200)}`)
            resolve()
          })
        },
      )
      outgoing.on('error', (error) => {
        failures.push(error.message)
        resolve()
      })
      outgoing.end(JSON.stringify({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' }))
    })
  const client = async () => {
    while (!stopped.signal.aborted) {
      await openIntent()
      await sleep(20)
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    failures,
    answered: () => answered,
    async stop() {
      stopped.abort()
      await Promise.all(clients)
      agent.destroy()
    },
  }
}

const settingsOf = ({ databaseUrl }: TestApp) => ({
  DATABASE_URL: databaseUrl,
  TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}`,
  // the default in production
  SHUTDOWN_DELAY: '5',
})

/** While a node still answers but is not ready, the proxy sends it nothing more. */
async function expectDrained(node: ServerProcess): Promise<void> {
  await expect
    .poll(
      async () => {
        const before = await openedBy(node)
        await sleep(500)
        return (await openedBy(node)) - before
      },
      { timeout: 3_500 },
    )
    .toBe(0)
}

/**
 * Ends a node that is stopped for two seconds at the time when it would close its port, as on a busy machine. It is closed
 * late, when a proxy may be sending requests again.
 */
async function endLate(node: ServerProcess): Promise<number | null> {
  const ended = node.end()
  await Promise.all([expectDrained(node), sleep(4_500)])
  process.kill(node.pid, 'SIGSTOP')
  await sleep(2_000)
  process.kill(node.pid, 'SIGCONT')
  return ended
}

/** Intents that a node has opened since it started. */
async function openedBy({ url }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tollgate_answers_total\{endpoint="\/intents",code="ok"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

describe.each([
  ['haproxy', startHaproxy],
  ['nginx', startNginx],
] as const)('%s', (program, start) => {
  const isInstalled = hasProgram(program)
  // said in the title, because a skipped test says nothing else
  const title = isInstalled ? '' : ` (skipped: ${program} is not installed, see .ci/run)`
  let app: TestApp
  let proxy: Running
  let nodes: ServerProcess[] = []
  beforeAll(async () => {
    if (!isInstalled) return
    app = await openTestApp()
    nodes = await Promise.all([1, 2].map(() => startServer(settingsOf(app))))
    proxy = await start(nodes.map(({ url }) => Number(new URL(url).port)))
  })
  afterAll(async () => {
    await proxy?.close()
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await app?.close()
  })

  test.runIf(isInstalled)(
    `loses no request while the nodes are restarted one after another${title}`,
    async () => {
      const site = await makeSite(app.ctx, { quota: 1_000_000 })
      const load = startLoad(proxy.port, site)
      const takesRequests = async (node: ServerProcess) => {
        await expect.poll(() => openedBy(node), { timeout: 60_000 }).toBeGreaterThan(20)
      }
      for (const [i, node] of nodes.entries()) {
        await takesRequests(node)
        expect(await endLate(node)).toBe(0)
        const next = await startServer({ ...settingsOf(app), PORT: new URL(node.url).port })
        nodes[i] = next
        await takesRequests(next)
      }
      await load.stop()
      expect(load.failures).toEqual([])
      expect(load.answered()).toBeGreaterThan(100)
    },
    240_000,
  )
})

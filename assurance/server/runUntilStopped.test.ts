import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { isAlive } from '../../server/kit/embedded/cluster.ts'
import { freePort } from '../../server/kit/process/freePort.ts'
import { serverProgram, spawnCommand, startCommand } from '../../test/support/process.ts'

/** How often random moments are tried: STOPS=50 by hand, after a change of how the service starts or stops. */
const ROUNDS = Number(process.env['STOPS'] ?? 1)

let dataDir: string
beforeEach(() => {
  dataDir = newDataDir()
})
afterEach(async () => {
  // of a failed test
  const pid = postmaster()
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGQUIT')
  rmSync(join(dataDir, '..'), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

function newDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-stop-'))
  // as root, PostgreSQL's account needs access, or the cluster is elsewhere
  chmodSync(dir, 0o755)
  return join(dir, 'data')
}

/** The DATA_DIR of a service that has ended. To start with a copy takes less time than a first start. */
let template: string
beforeAll(async () => {
  template = newDataDir()
  const server = await startCommand(SERVICE, { DATA_DIR: template })
  await server.end()
}, 120_000)
afterAll(() => rmSync(dirname(template), { recursive: true, force: true }))
const copyTemplate = () => execFileSync('cp', ['-a', template, dataDir])

/** The process that postmaster.pid names; undefined if there is no such file. */
function postmaster(): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
}

/** What a process must not leave in DATA_DIR when it ends: a running PostgreSQL, its announcement, half of a cluster. */
function left(): string[] {
  if (!existsSync(dataDir)) return []
  const holders = join(dataDir, 'holders')
  return [
    ...(postmaster() === undefined ? [] : ['postmaster.pid']),
    ...(existsSync(holders) ? readdirSync(holders) : []),
    ...readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-')),
  ]
}

const SERVICE = [process.execPath, ...serverProgram('main')]
const settings = () => ({ DATA_DIR: dataDir })
const anySignal = () => (['SIGINT', 'SIGTERM'] as const)[randomInt(2)] ?? 'SIGINT'

/** Sends signals to the whole group, as a terminal, npm and supervisors do, all within two seconds. */
async function signalOften(server: { signalGroup(signal: NodeJS.Signals): void }): Promise<string> {
  const times = Array.from({ length: randomInt(2, 6) }, () => randomInt(1500)).toSorted((a, b) => a - b)
  const sent = times.map((at) => `${anySignal()} at ${at} ms`)
  let now = 0
  for (const [i, at] of times.entries()) {
    await sleep(at - now)
    now = at
    try {
      server.signalGroup(sent[i]?.startsWith('SIGINT') ? 'SIGINT' : 'SIGTERM')
    } catch {
      // all have ended
    }
  }
  return sent.join(', ')
}

test.each(['1', '2'])(
  'any number of signals to %s process(es) and npm within two seconds is one stop in order',
  async (WORKERS) => {
    copyTemplate()
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startCommand(['npm', 'start'], { ...settings(), WORKERS }, true)
      const pid = postmaster() ?? 0
      expect(isAlive(pid)).toBe(true)
      const sent = await signalOften(server)
      await server.ended
      // npm may end before the service does
      await expect.poll(() => [sent, isAlive(pid), left()], { timeout: 30_000 }).toEqual([sent, false, []])
    }
  },
  240_000 * ROUNDS,
)

test('a later signal ends the process at once, and PostgreSQL with it', async () => {
  copyTemplate()
  const server = await startCommand(SERVICE, { ...settings(), SHUTDOWN_DELAY: '300' }, true)
  const pid = postmaster() ?? 0
  server.signalGroup('SIGINT')
  await sleep(2100)
  server.signalGroup('SIGINT')
  expect(await server.ended).toBe(1)
  expect([isAlive(pid), left()]).toEqual([false, []])
}, 120_000)

test('the end of the terminal is a stop in order', async () => {
  copyTemplate()
  const server = await startCommand(SERVICE, settings(), true)
  server.signalGroup('SIGHUP')
  expect(await server.ended).toBe(0)
  expect(left()).toEqual([])
}, 120_000)

test(
  'a signal at any moment of the first start leaves nothing running',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const server = await spawnCommand(
        SERVICE,
        { ...settings(), DEMO: 'on', SHOP_PORT: String(await freePort()) },
        true,
      )
      const until = randomInt(15_000)
      await sleep(until)
      const sent = server.isGone() ? '' : await signalOften(server)
      // null: before there was anything to close
      expect([0, null], `${until} ms, then ${sent}: ${server.output()}`).toContain(await server.ended)
      expect([until, sent, left()]).toEqual([until, sent, []])
    }
  },
  240_000 * ROUNDS,
)

test('a port that is taken, also that of the demo shop, is refused before anything is created', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  try {
    const starts = [{ PORT: String(port) }, { SHOP_PORT: String(port) }].map(async (ports) => {
      const server = await spawnCommand(SERVICE, { ...settings(), DEMO: 'on', ...ports })
      expect(await server.ended).toBe(1)
      expect(server.output()).toMatch(
        new RegExp(`Port ${port} is in use by another program.*${Object.keys(ports)[0]}=`),
      )
    })
    await Promise.all(starts)
    expect(existsSync(dataDir)).toBe(false)
  } finally {
    taken.close()
  }
}, 120_000)

test('a start that fails after PostgreSQL runs leaves nothing running, and prints no stack', async () => {
  const server = await spawnCommand(SERVICE, { ...settings(), ARCHIVE_DIR: '/dev/null/archive' })
  expect(await server.ended).toBe(1)
  expect(server.output()).toMatch(/ARCHIVE_DIR \/dev\/null\/archive cannot be written/)
  expect(server.output()).not.toMatch(/^ {4}at /m)
  expect([existsSync(join(dataDir, 'postgres')), left()]).toEqual([true, []])
}, 120_000)

import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { canReach } from '../../server/kit/embedded/account.ts'
import { type Cluster, openCluster } from '../../server/kit/embedded/open.ts'
import { findPlace } from '../../server/kit/embedded/place.ts'
import type { Holder } from '../../server/kit/embedded/presence.ts'
import { createLog } from '../../server/kit/process/log.ts'

const log = createLog('silent')
const SERVICE: Holder = { kind: 'service', label: 'first service' }
const COMMAND: Holder = { kind: 'command', label: 'a command' }

const dirs: string[] = []
const open: Cluster[] = []
afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.close()
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

function dataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'))
  chmodSync(dir, 0o755)
  dirs.push(dir)
  return join(dir, 'data')
}

let template: string
beforeAll(async () => {
  template = dataDir()
  dirs.pop()
  await (await openCluster(template, SERVICE, log)).close()
})
afterAll(() => rmSync(dirname(template), { recursive: true, force: true }))

/** With a cluster that was closed: a copy of one, because to create it takes the longest. */
function usedDataDir(): string {
  const dir = dataDir()
  execFileSync('cp', ['-a', template, dir])
  return dir
}

async function start(dir: string, holder = SERVICE): Promise<Cluster> {
  const cluster = await openCluster(dir, holder, log)
  open.push(cluster)
  return cluster
}

async function stop(cluster: Cluster): Promise<void> {
  open.splice(open.indexOf(cluster), 1)
  await cluster.close()
}

async function query<Row extends pg.QueryResultRow>(cluster: Cluster, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: cluster.url('postgres'), connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

const postmasterPid = (dir: string) =>
  Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** Ends the backend that keeps the locks of the holder, as an administrator or the kernel would. */
const endHold = ({ label }: Holder, cluster: Cluster): Promise<unknown> =>
  query(cluster, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${label}'`)

/** Whether the backend of the holder has its locks again. */
const isHeld = async ({ label }: Holder, cluster: Cluster): Promise<boolean> => {
  const sql = `select 1 from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = 84150 and granted and application_name = '${label}'`
  return (await query(cluster, sql)).length > 0
}

const OTHER: Holder = { kind: 'service', label: 'the other service' }

/** Another process that holds the cluster until it is killed. */
async function holdElsewhere(dir: string): Promise<ChildProcess> {
  const script = `
    import { openCluster } from './server/kit/embedded/open.ts'
    import { createLog } from './server/kit/process/log.ts'
    await openCluster(${JSON.stringify(dir)}, ${JSON.stringify(OTHER)}, createLog('silent'))
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

test('keeps committed data over a restart', async () => {
  const dir = usedDataDir()
  const first = await start(dir)
  await query(first, 'create table kept as select 1 as n')
  await stop(first)
  expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false)
  expect(await query(await start(dir), 'select n from kept')).toEqual([{ n: 1 }])
})

test('takes over the PostgreSQL of a killed service', async () => {
  const dir = usedDataDir()
  const other = await holdElsewhere(dir)
  const pid = postmasterPid(dir)
  other.kill('SIGKILL')
  const cluster = await start(dir)
  expect(postmasterPid(dir)).toBe(pid)
  expect(await query(cluster, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('restarts a killed PostgreSQL with all committed data', async () => {
  const dir = usedDataDir()
  const cluster = await start(dir)
  await query(cluster, 'create table kept as select 1 as n')
  const pid = postmasterPid(dir)
  process.kill(pid, 'SIGKILL')
  const rows = () => query(cluster, 'select n from kept').catch(() => [])
  await expect.poll(rows, { timeout: 30_000, interval: 200 }).toEqual([{ n: 1 }])
  expect(postmasterPid(dir)).not.toBe(pid)
}, 60_000)

test('recovers a PostgreSQL that was killed together with its service', async () => {
  const dir = usedDataDir()
  const other = await holdElsewhere(dir)
  const pid = postmasterPid(dir)
  other.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  expect(await query(await start(dir), 'select 1 as n')).toEqual([{ n: 1 }])
}, 60_000)

test('starts despite a stale postmaster.pid with the id of another process', async () => {
  const dir = usedDataDir()
  await stop(await start(dir))
  const file = join(dir, 'postgres', 'postmaster.pid')
  writeFileSync(file, `${process.pid}\n${join(dir, 'postgres')}\n1\n5432\n\n127.0.0.1\n0 0\nready\n`)
  expect(await query(await start(dir), 'select 1 as n')).toEqual([{ n: 1 }])
})

test('refuses a second service on one DATA_DIR with the name of the first, which keeps running', async () => {
  const dir = usedDataDir()
  const first = await start(dir)
  await expect(openCluster(dir, { kind: 'service', label: 'second service' }, log)).rejects.toThrow(
    /in use by first service.*DATA_DIR=/,
  )
  expect(await query(first, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('keeps PostgreSQL running until the last process closes it', async () => {
  const dir = usedDataDir()
  const service = await start(dir)
  await stop(await start(dir, COMMAND))
  expect(await query(service, 'select 1 as n')).toEqual([{ n: 1 }])
  const command = await start(dir, COMMAND)
  await stop(service)
  expect(await query(command, 'select 1 as n')).toEqual([{ n: 1 }])
  await stop(command)
  expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('takes its hold again when the backend that kept it ends, and stops PostgreSQL at the end', async () => {
  const dir = usedDataDir()
  const service = await start(dir)
  const pid = postmasterPid(dir)
  await endHold(SERVICE, service)
  await expect.poll(() => isHeld(SERVICE, service)).toBe(true)
  expect(postmasterPid(dir)).toBe(pid)
  await stop(service)
  expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false)
}, 60_000)

test('stops PostgreSQL even if it is closed at the moment when its hold is lost', async () => {
  const dir = usedDataDir()
  const service = await start(dir)
  await endHold(SERVICE, service)
  await stop(service)
  expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false)
}, 60_000)

test('takes its hold again after a crash of a backend', async () => {
  const dir = usedDataDir()
  const service = await start(dir)
  const [backend] = await query<{ pid: number }>(
    service,
    `select pid from pg_stat_activity where application_name = '${SERVICE.label}'`,
  )
  process.kill(backend?.pid ?? 0, 'SIGKILL')
  // until PostgreSQL has recovered, it refuses connections
  await expect.poll(() => isHeld(SERVICE, service).catch(() => false), { timeout: 30_000 }).toBe(true)
}, 60_000)

test('a service that has lost its hold and cannot take it again is neither doubled nor stopped by a command', async () => {
  const dir = usedDataDir()
  const other = await holdElsewhere(dir)
  const pid = postmasterPid(dir)
  // a process that does not get to run, as on an overloaded machine
  other.kill('SIGSTOP')
  const command = await start(dir, COMMAND)
  await endHold(OTHER, command)
  await expect.poll(() => isHeld(OTHER, command)).toBe(false)
  await expect(openCluster(dir, SERVICE, log)).rejects.toThrow(/in use by the other service/)
  await stop(command)
  expect(postmasterPid(dir)).toBe(pid)
  other.kill('SIGCONT')
  const later = await start(dir, COMMAND)
  await expect.poll(() => isHeld(OTHER, later)).toBe(true)
  other.kill('SIGKILL')
  await stop(later)
}, 60_000)

/** Whether this account may start a process in a PID namespace of its own, as a container does. */
const hasPidNamespaces = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0

test.runIf(hasPidNamespaces)(
  'as process 1, which does not reap processes it did not start, it restarts a killed PostgreSQL',
  async () => {
    const script = `
      import { readFileSync } from 'node:fs'
      import pg from 'pg'
      import { openCluster } from './server/kit/embedded/open.ts'
      import { createLog } from './server/kit/process/log.ts'
      const dir = ${JSON.stringify(usedDataDir())}
      const cluster = await openCluster(dir, ${JSON.stringify(SERVICE)}, createLog('silent'))
      const killed = Number(readFileSync(dir + '/postgres/postmaster.pid', 'utf8').split('\\n')[0])
      process.kill(killed, 'SIGKILL')
      for (let attempt = 0; attempt < 150; attempt++) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        const client = new pg.Client({ connectionString: cluster.url('postgres') })
        client.on('error', () => {})
        if (await client.connect().then(() => true, () => false)) {
          console.log('process', process.pid, 'recovered')
          await client.end()
          break
        }
      }
      await cluster.close()
      process.exit()`
    const args = ['--pid', '--fork', '--mount-proc', process.execPath, '--import', 'tsx', '--input-type=module', '-e']
    const { stdout } = await promisify(execFile)('unshare', [...args, script])
    expect(stdout.trim()).toBe('process 1 recovered')
  },
  90_000,
)

test('creates one cluster for two concurrent first starts', async () => {
  const dir = dataDir()
  const both = await Promise.allSettled([start(dir), start(dir)])
  const [held] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  expect(refused).toMatch(/is in use by first service/)
  expect(held && (await query(held, 'select 1 as n'))).toEqual([{ n: 1 }])
}, 60_000)

test('a command starts an existing cluster and never creates one', async () => {
  const dir = dataDir()
  await expect(start(dir, COMMAND)).rejects.toThrow(/There is no database in .*Start the service first/)
  expect(existsSync(dir)).toBe(false)
  await stop(await start(dir))
  const command = await start(dir, COMMAND)
  expect(await query(command, 'select 1 as n')).toEqual([{ n: 1 }])
}, 60_000)

test('places the cluster elsewhere if PostgreSQL has no access to DATA_DIR', async () => {
  const dir = dataDir()
  const home = join(dir, 'home')
  mkdirSync(home, { recursive: true })
  chmodSync(home, 0o700)
  const cluster = await start(join(home, 'data'))
  expect(await query(cluster, 'select 1 as n')).toEqual([{ n: 1 }])
  await stop(cluster)
  const link = join(home, 'data', 'postgres')
  if (lstatSync(link).isSymbolicLink()) dirs.push(readlinkSync(link))
  expect(await query(await start(join(home, 'data')), 'select 1 as n')).toEqual([{ n: 1 }])
}, 60_000)

test('copies the programs to a directory that the account can access, and finds them again', () => {
  const home = join(dataDir(), 'home')
  mkdirSync(home, { recursive: true })
  chmodSync(home, 0o700)
  for (let look = 0; look < 2; look++) {
    const { account, copies } = findPlace(join(home, 'data'))
    expect(canReach(account, join(copies, 'postgres'))).toBe(true)
  }
})

test('names a DATA_DIR that cannot be created, with what to do', async () => {
  const dir = dataDir()
  writeFileSync(dir, 'a file')
  await expect(openCluster(dir, SERVICE, log)).rejects.toThrow(/cannot be created.*Choose a directory/)
})

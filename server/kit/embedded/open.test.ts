import { type ChildProcess, spawn } from 'node:child_process'
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
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { canReach } from './account.ts'
import { type Cluster, type Holder, openCluster } from './open.ts'
import { findPlace } from './place.ts'

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

/** Another process that holds the cluster until it is killed. */
async function holdElsewhere(dir: string): Promise<ChildProcess> {
  const script = `
    import { openCluster } from './server/kit/embedded/open.ts'
    import { createLog } from './server/kit/log.ts'
    await openCluster(${JSON.stringify(dir)}, { kind: 'service', label: 'the other service' }, createLog('silent'))
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

test('keeps committed data over a restart', async () => {
  const dir = dataDir()
  const first = await start(dir)
  await query(first, 'create table kept as select 1 as n')
  await stop(first)
  expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false)
  expect(await query(await start(dir), 'select n from kept')).toEqual([{ n: 1 }])
})

test('takes over the PostgreSQL of a killed service', async () => {
  const dir = dataDir()
  const other = await holdElsewhere(dir)
  const pid = postmasterPid(dir)
  other.kill('SIGKILL')
  const cluster = await start(dir)
  expect(postmasterPid(dir)).toBe(pid)
  expect(await query(cluster, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('restarts a killed PostgreSQL with all committed data', async () => {
  const dir = dataDir()
  const cluster = await start(dir)
  await query(cluster, 'create table kept as select 1 as n')
  const pid = postmasterPid(dir)
  process.kill(pid, 'SIGKILL')
  let rows: unknown
  for (let i = 0; i < 100 && rows === undefined; i++) {
    await sleep(200)
    rows = await query(cluster, 'select n from kept').catch(() => undefined)
  }
  expect(rows).toEqual([{ n: 1 }])
  expect(postmasterPid(dir)).not.toBe(pid)
}, 60_000)

test('recovers a PostgreSQL that was killed together with its service', async () => {
  const dir = dataDir()
  const other = await holdElsewhere(dir)
  const pid = postmasterPid(dir)
  other.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  expect(await query(await start(dir), 'select 1 as n')).toEqual([{ n: 1 }])
}, 60_000)

test('starts despite a stale postmaster.pid with the id of another process', async () => {
  const dir = dataDir()
  await stop(await start(dir))
  const file = join(dir, 'postgres', 'postmaster.pid')
  writeFileSync(file, `${process.pid}\n${join(dir, 'postgres')}\n1\n5432\n\n127.0.0.1\n0 0\nready\n`)
  expect(await query(await start(dir), 'select 1 as n')).toEqual([{ n: 1 }])
})

test('refuses a second service on one DATA_DIR with the name of the first, which keeps running', async () => {
  const dir = dataDir()
  const first = await start(dir)
  await expect(openCluster(dir, { kind: 'service', label: 'second service' }, log)).rejects.toThrow(
    /in use by first service.*DATA_DIR=/,
  )
  expect(await query(first, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('keeps PostgreSQL running until the last process closes it', async () => {
  const dir = dataDir()
  const service = await start(dir)
  await stop(await start(dir, COMMAND))
  expect(await query(service, 'select 1 as n')).toEqual([{ n: 1 }])
  const command = await start(dir, COMMAND)
  await stop(service)
  expect(await query(command, 'select 1 as n')).toEqual([{ n: 1 }])
  await stop(command)
  expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false)
})

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

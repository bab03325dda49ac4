import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../db/driver.ts'
import { OperatorError } from '../error.ts'
import { freePort } from '../process/freePort.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { Place } from './place.ts'

/** The superuser that initdb creates. It creates roles and databases; nothing else connects with it. */
const SUPERUSER = 'tollgate'

/**
 * Durable by default. The server log is terse and shows no parameters: PostgreSQL's details quote row values, such as
 * nonces and sessions. The log rotates by weekday, so that it cannot fill the disk.
 */
const SETTINGS = `
# Tollgate's embedded PostgreSQL
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
shared_buffers = '128MB'
max_wal_size = '4GB'
log_error_verbosity = terse
log_parameter_max_length_on_error = 0
logging_collector = on
log_directory = 'log'
log_filename = 'postgresql-%a.log'
log_rotation_age = '1d'
log_truncate_on_rotation = on
`

const passwordFile = (clusterDir: string) => join(clusterDir, 'tollgate.password')

/**
 * Runs one of PostgreSQL's programs as the account; its working directory must be accessible to the account. A signal of the terminal
 * does not reach it: this process decides when it ends. `ending`: when it is to be interrupted.
 */
async function run(
  program: string,
  args: string[],
  account: Account | undefined,
  ending?: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    detached: process.platform !== 'win32',
    ...account,
  })
  // initdb removes what it has written, and pg_ctl passes it on to the PostgreSQL that it starts
  const interrupt = () => void child.kill('SIGINT')
  ending?.addEventListener('abort', interrupt)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code, output }))
  }).finally(() => ending?.removeEventListener('abort', interrupt))
}

function describe(output: string, clusterDir: string): string {
  if (/No space left on device/.test(output))
    return `The disk of ${clusterDir} is full. Free some space and start again; committed data is safe.`
  if (/incompatible with server|initialized by PostgreSQL version/.test(output)) {
    return `${clusterDir} was made by another major version of PostgreSQL. Dump it with that version and restore, or choose another DATA_DIR.`
  }
  if (/Permission denied/.test(output))
    return `PostgreSQL may not use ${clusterDir}: it belongs to another account. Start as that account, or choose another DATA_DIR.`
  return `PostgreSQL did not start in ${clusterDir}:\n${output.trim().split('\n').slice(-8).join('\n')}`
}

/** Removes the incomplete clusters of processes that were killed while they created one. */
function removeIncomplete(clusterDir: string): void {
  const begin = `${basename(clusterDir)}.new-`
  for (const name of readdirSync(dirname(clusterDir))) {
    const [pid] = name.startsWith(begin) ? name.slice(begin.length).split('-') : []
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(dirname(clusterDir), name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Creates the cluster if there is none: in a temporary directory that is then renamed, so that an incomplete one is never used. */
export async function ensureCluster(
  { clusterDir, account }: Place,
  binaries: Binaries,
  ending?: AbortSignal,
): Promise<void> {
  removeIncomplete(clusterDir)
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return
  const staging = mkdtempSync(`${clusterDir}.new-${process.pid}-`)
  const password = join(staging, 'password')
  const cluster = join(staging, 'cluster')
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account) for (const path of [staging, password]) chownSync(path, account.uid, account.gid)
  const made = await run(
    binaries.initdb,
    [
      '-D',
      cluster,
      `--username=${SUPERUSER}`,
      `--pwfile=${password}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    account,
    ending,
  )
  if (made.code !== 0) {
    rmSync(staging, { recursive: true, force: true })
    ending?.throwIfAborted()
    throw new OperatorError(describe(made.output, clusterDir))
  }
  appendFileSync(join(cluster, 'postgresql.conf'), SETTINGS)
  renameSync(password, passwordFile(cluster))
  try {
    renameSync(cluster, clusterDir)
  } catch (error) {
    // a concurrent start was faster: use its cluster
    if (!existsSync(join(clusterDir, 'PG_VERSION'))) throw error
  }
  rmSync(staging, { recursive: true, force: true })
}

export type Running = { port: number; pid: number }

/** Parses postmaster.pid. Its lines are pid, directory, start time, port, sockets, address, memory key, status. */
function postmaster(clusterDir: string): (Running & { ready: boolean }) | undefined {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return pid > 0 ? { pid, port, ready: lines[7]?.trim() === 'ready' } : undefined
  } catch {
    return undefined
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return process.platform !== 'linux' || !isZombie(pid)
}

/**
 * Whether the process has ended and its parent has not asked for its exit code. Node.js never asks if it is process 1, as in
 * a container without an init, where processes that lost their parent become its children.
 */
function isZombie(pid: number): boolean {
  try {
    // the state follows the name, which is in parentheses and may contain any character
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''))
  } catch {
    return true
  }
}

/** The password of a role: derived from the superuser's, so that there is one file to keep and it cannot be found backwards. */
export function passwordOf(clusterDir: string, role = SUPERUSER): string {
  const password = readFileSync(passwordFile(clusterDir), 'utf8').trim()
  return role === SUPERUSER ? password : createHmac('sha256', password).update(role).digest('base64url')
}

/** Connection string of a database of the cluster, for the superuser or for a role. */
export function urlOf(clusterDir: string, port: number, database: string, role = SUPERUSER): string {
  return `postgresql://${role}:${passwordOf(clusterDir, role)}@127.0.0.1:${port}/${database}`
}

/** Whether this cluster answers on the port, and not another server that got the port since. */
async function answers(clusterDir: string, port: number): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(clusterDir, port, 'postgres'), connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** After a crash, the process id in postmaster.pid may belong to another process. */
async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') return /postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  const { output } = await run('/bin/ps', ['-o', 'command=', '-p', String(pid)], undefined)
  return /postgres/.test(output)
}

/** Takes over the cluster's running PostgreSQL, waiting while it recovers; undefined if none runs. */
async function takeOver(clusterDir: string): Promise<Running | undefined> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const found = postmaster(clusterDir)
    if (!found || !(await isPostgres(found.pid).catch(() => false))) return undefined
    if (found.port > 0 && (await answers(clusterDir, found.port))) return found
    await sleep(200)
  }
  throw new OperatorError(
    `PostgreSQL is running in ${clusterDir} (process ${postmaster(clusterDir)?.pid}) but does not answer. Stop that process and start again; committed data is safe.`,
  )
}

/**
 * A running PostgreSQL of the cluster: the one that is still running after its service ended, or a new one, which recovers
 * after a crash. `port`: the port to use (after a crash, so that connection strings stay valid). If `ending` is aborted meanwhile,
 * throws its reason, and leaves no PostgreSQL that it has started.
 */
export async function startCluster(
  place: Place,
  binaries: Binaries,
  { port, ending }: { port?: number; ending?: AbortSignal | undefined } = {},
): Promise<Running> {
  const { clusterDir, account } = place
  // after a kill -9 of the postmaster, its child processes hold the shared memory for a moment, and PostgreSQL refuses to
  // start meanwhile
  for (let attempt = 1; ; attempt++) {
    const running = await takeOver(clusterDir)
    if (running) return running
    ending?.throwIfAborted()
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
    const chosen = port ?? (await freePort())
    const log = join(clusterDir, 'start.log')
    rmSync(log, { force: true })
    const started = await run(
      binaries.pgCtl,
      ['start', '-D', clusterDir, '-w', '-t', '300', '-l', log, '-o', `-p ${chosen}`],
      account,
      ending,
    )
    if (ending?.aborted) {
      await stopCluster(place, binaries)
      ending.throwIfAborted()
    }
    const pid = postmaster(clusterDir)?.pid
    if (started.code === 0 && pid !== undefined) return { port: chosen, pid }
    const output = existsSync(log) ? readFileSync(log, 'utf8') : started.output
    const passing = /shared memory block|could not bind|already exists|Address already in use/.test(output)
    if (!passing || attempt >= 60) throw new OperatorError(describe(output, clusterDir))
    await sleep(500)
  }
}

/** Stops PostgreSQL in order. Returns whether it has stopped. */
export async function stopCluster(place: Place, binaries: Binaries, seconds = 60): Promise<boolean> {
  const args = ['stop', '-D', place.clusterDir, '-m', 'fast', '-w', '-t', `${seconds}`]
  for (let attempt = 1; ; attempt++) {
    const { code } = await run(binaries.pgCtl, args, place.account)
    // null: a signal for the group of this process has ended pg_ctl, before it had a group of its own
    if (code !== null || attempt >= 10) return code === 0
  }
}

/** Ends PostgreSQL within a few seconds. If it does not stop in order, the next start recovers, with everything that was committed. */
export async function endCluster(place: Place, binaries: Binaries): Promise<void> {
  if (await stopCluster(place, binaries, 3)) return
  await run(binaries.pgCtl, ['stop', '-D', place.clusterDir, '-m', 'immediate', '-w', '-t', '3'], place.account)
}

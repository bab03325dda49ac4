import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../../server/kit/embedded/account.ts'
import { childrenOf } from '../../test/support/process.ts'

/** Debian installs servers where only root's PATH looks, or no PATH. */
const PATH = `${process.env['PATH']}:/usr/sbin:/sbin:/usr/lib/postgresql/15/bin`

/** What all machines of a run share. `prefix`: of their addresses on loopback, in place of `10.0.0.` */
export type Site = { folder: string; prefix: string; account: Account | undefined }

const PASSWORDS = [
  'PATRONI_PASSWORD',
  'SUPERUSER_PASSWORD',
  'REPLICATION_PASSWORD',
  'REDIS_PASSWORD',
  'SENTINEL_PASSWORD',
  'ETCD_PASSWORD',
]
/** Of every account of a run, which only this machine can reach. */
export const PASSWORD = 'loopback'

/** One of the machines of deploy/ha: an address, a folder, and the programs that run there. */
export class Machine {
  readonly name: string
  readonly address: string
  readonly folder: string
  readonly #site: Site
  readonly #running = new Map<string, ChildProcess>()

  constructor(site: Site, name: string, host: number) {
    this.#site = site
    this.name = name
    this.address = `${site.prefix}${host}`
    this.folder = join(site.folder, name)
    for (const inner of ['etcd', 'redis', 'run', 'postgresql', 'log', 'etc']) this.#makeFolder(join(this.folder, inner))
  }

  get postgresFolder(): string {
    return join(this.folder, 'postgresql/15/tollgate')
  }

  /** Writes a file of deploy/ha with the values of this machine, and returns its path. Every value is one of the file's own. */
  render(file: string, append = ''): string {
    const places: [string, string][] = [
      ['THIS_NAME', this.name],
      ['THIS_ADDRESS', this.address],
      ['127.0.0.1:5432', `${this.address}:5432`],
      ['10.0.0.', this.#site.prefix],
      ['/var/lib/etcd', join(this.folder, 'etcd')],
      ['/var/lib/redis', join(this.folder, 'redis')],
      ['/var/run/postgresql', join(this.folder, 'run')],
      ['/var/lib/postgresql', join(this.folder, 'postgresql')],
      ['/var/log/pgbackrest', join(this.folder, 'log')],
      ['/etc/pgbackrest.conf', join(this.folder, 'etc/pgbackrest.conf')],
      // one for all machines, as a mounted folder is
      ['/var/lib/pgbackrest', join(this.#site.folder, 'repository')],
      ...PASSWORDS.map((each): [string, string] => [each, PASSWORD]),
    ]
    const path = join(this.folder, 'etc', file)
    let text = readFileSync(join('deploy/ha', file), 'utf8')
    for (const [value, replacement] of places) text = text.replaceAll(value, replacement)
    writeFileSync(path, text + append, { mode: 0o600 })
    this.#own(path)
    return path
  }

  /** Starts a program as the account of PostgreSQL; its output is in `log`. */
  run(command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    const log = openSync(join(this.folder, 'log', `${command}.log`), 'a')
    const child = spawn(command, args, {
      cwd: this.folder,
      stdio: ['ignore', log, log],
      env: { PATH, LANG: 'C.UTF-8', HOME: this.folder, ...env },
      ...this.#site.account,
    })
    // a missing program is seen by its exit
    child.on('error', () => {})
    this.#running.set(command, child)
    raisePriority(child.pid)
    return child
  }

  /** Runs a program as the account of PostgreSQL until it ends; returns its output. Throws if it fails. */
  execute(command: string, args: string[], env: Record<string, string> = {}): string {
    return execFileSync(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.folder,
      encoding: 'utf8',
      env: { PATH, LANG: 'C.UTF-8', HOME: this.folder, ...env },
      ...this.#site.account,
    })
  }

  /** Sends a signal to programs by name, and to the processes of PostgreSQL, which is a child of none of them. */
  signal(signal: NodeJS.Signals, names: readonly string[] = [...this.#running.keys(), 'postgres']): void {
    for (const name of names) {
      if (name !== 'postgres') this.#running.get(name)?.kill(signal)
      else for (const pid of this.postgres()) kill(pid, signal)
    }
  }

  /** Ends what runs here as a power cut does, and waits until it has ended. */
  async crash(names?: readonly string[]): Promise<void> {
    const postgres = this.postgres()
    this.signal('SIGKILL', names)
    const wanted = names ?? [...this.#running.keys(), 'postgres']
    const children = [...this.#running].flatMap(([name, child]) => (wanted.includes(name) ? [child] : []))
    const isAlive = () =>
      children.some(({ exitCode, signalCode, pid }) => pid !== undefined && exitCode === null && signalCode === null) ||
      (wanted.includes('postgres') && postgres.some(isRunning))
    while (isAlive()) await sleep(10)
  }

  isRunning(command: string): boolean {
    const child = this.#running.get(command)
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** The process ids of this machine's PostgreSQL: the postmaster, then its children. */
  postgres(): number[] {
    let postmaster: number
    try {
      postmaster = Number(readFileSync(join(this.postgresFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
      if (!readFileSync(`/proc/${postmaster}/cmdline`, 'utf8').includes(this.postgresFolder)) return []
    } catch {
      return []
    }
    return [postmaster, ...childrenOf(postmaster)]
  }

  #makeFolder(path: string): void {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    this.#own(dirname(path))
    this.#own(path)
  }

  #own(path: string): void {
    const { account } = this.#site
    if (account) chownSync(path, account.uid, account.gid)
  }
}

/** A database machine has cores of its own: without them etcd elects one leader after another while other tests run. */
function raisePriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, -10)
  } catch {
    // not allowed in every container
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended meanwhile
  }
}

/** The state letter and the parent of a process: fields 3 and 4 of /proc/PID/stat, after the name in brackets. */
function statOf(pid: number): [state: string, parent: number] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [state, Number(parent)]
  } catch {
    return undefined
  }
}

const isRunning = (pid: number): boolean => !['Z', undefined].includes(statOf(pid)?.[0])

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/kit/process/freePort.ts'

export type ServerProcess = {
  url: string
  pid: number
  /** Its output on both streams. */
  output(): string
  /** Sends the signal and waits for the exit; returns the exit code, null if the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
  /** Sends the signal to all processes of the command, as a terminal does; only for one in a group of its own. */
  signalGroup(signal: NodeJS.Signals): void
  ended: Promise<number | null>
}

export type Program = 'sources' | 'build'

/** The sealing keys of services that tests start: each can read what another one has sealed. */
export const TEST_KEYS = `t1:${Buffer.alloc(32, 7).toString('base64url')}`

/** Options of Node.js that `npm start`, the image and the systemd unit give to the service. */
export const NODE_OPTIONS = ['--use-largepages=silent', '--no-allocation-site-pretenuring']

/**
 * The arguments that make Node.js run an entry point of the server, by default from the sources. `npm test` sets
 * `PROGRAM=build`: it has just built them, and a process that compiles nothing takes half as long to start.
 */
export const serverProgram = (
  name: 'main' | 'cli',
  program: Program = process.env['PROGRAM'] === 'build' ? 'build' : 'sources',
): string[] => [
  ...(name === 'main' ? NODE_OPTIONS : []),
  ...(program === 'build' ? [`dist/server/${name}.js`] : ['--import', 'tsx', `server/${name}.ts`]),
]

/** Starts the service as its own process, on a free port unless `PORT` is set, and waits until it is ready. */
export const startServer = (
  settings: Record<string, string>,
  program?: Program,
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> =>
  startCommand([process.execPath, ...nodeOptions, ...serverProgram('main', program)], settings)

/** The same with two processes that answer requests. */
export const startTwoProcesses = (databaseUrl: string): Promise<ServerProcess> =>
  startServer({
    DATABASE_URL: databaseUrl,
    TOLLGATE_KEYS: TEST_KEYS,
    WORKERS: '2',
    SHUTDOWN_DELAY: '0',
  })

/** The same by any command that starts the service. `isGroup`: in a process group of its own, as in a terminal. */
export async function startCommand(
  command: readonly string[],
  settings: Record<string, string>,
  isGroup = false,
): Promise<ServerProcess> {
  const server = await spawnCommand(command, settings, isGroup)
  for (let waited = 0; ; waited += 50) {
    if (server.isGone() || waited > 60_000) throw new Error(`the server did not start:\n${server.output()}`)
    const ready = await fetch(`${server.url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ready) return server
    await sleep(50)
  }
}

/** The same without waiting until it is ready. */
export async function spawnCommand(
  [command = '', ...args]: readonly string[],
  settings: Record<string, string>,
  isGroup = false,
): Promise<ServerProcess & { isGone(): boolean }> {
  const port = settings['PORT'] ?? String(await freePort())
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      DEMO: 'off',
      GRANTS: 'on',
      TRUSTED_PROXIES: '127.0.0.1',
      TEST_KEYS_PER_MINUTE: '100000',
      TEST_KEYS_PER_SECOND: '100000',
      // a test clicks faster than a person
      CONSOLE_CALLS_PER_SECOND: '10000',
      CONSOLE_CHANGES_PER_SECOND: '10000',
      ...settings,
      PORT: port,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const pid = child.pid ?? 0
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    ended,
    isGone: () => child.exitCode !== null || child.signalCode !== null,
    signalGroup: (signal) => void process.kill(-pid, signal),
    output: () => output,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Arguments of a command, divided by blanks; in an array, one argument as it is. */
export type Words = string | [argument: string]

/** Runs the command line as a process. Returns its exit code, and what it printed. */
export async function runCli(
  settings: Record<string, string>,
  ...words: Words[]
): Promise<{ code: number | null; out: string; err: string }> {
  const args = words.flatMap((word) => (typeof word === 'string' ? word.split(' ') : word))
  const child = spawn(process.execPath, [...serverProgram('cli'), ...args], {
    env: { PATH: process.env['PATH'], ...settings },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out, err }
}

/** The ids of the processes that the process has started, first those that began first. */
export function childrenOf(parent: number): number[] {
  const processes = existsSync('/proc/self/stat') ? processesOfLinux() : processesOfPs()
  return processes
    .filter(([, started]) => started === parent)
    .map(([pid = 0]) => pid)
    .toSorted((a, b) => a - b)
}

/** Containers often have no ps. */
const processesOfLinux = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // the name of the program, in brackets, can have blanks
        return [[Number(pid), Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])]]
      } catch {
        // it has ended
        return []
      }
    })

const processesOfPs = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))

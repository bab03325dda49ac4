import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Started = {
  /** Origin of the merchant's pages, as the process printed it. */
  origin: string
  /** Everything that it wrote to standard output and standard error. */
  logs(): Promise<string>
  stop(): Promise<void>
}

/** The Python that starts merchants; the environment variable PYTHON names another one. */
export const PYTHON = process.env['PYTHON'] || 'python3'

/** The PHP that starts merchants; the environment variable PHP names another one. */
export const PHP = process.env['PHP'] || 'php'

const PRINTED = /https?:\/\/localhost:\d+/
const PATIENCE_MS = 60_000

/**
 * Starts a merchant as a process. It gets `env` and PATH, nothing else. Waits until it prints its address on localhost, or,
 * where `port` is given, until it listens there.
 * @throws Error with what it wrote, if it ends or does not listen within a minute
 */
export async function startProcess(
  command: string,
  args: string[],
  env: Record<string, string>,
  port?: number,
): Promise<Started> {
  // the workers of PHP's server outlive it, so they are a group of processes that ends together
  const isGroup = command === PHP && process.platform !== 'win32'
  const child = spawn(command, args, {
    detached: isGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  let output = ''
  let fault: Error | undefined
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  child.once('error', (error) => (fault = error))
  const kill = () => (isGroup && child.pid !== undefined ? process.kill(-child.pid) : child.kill())
  const isRunning = () => fault === undefined && child.exitCode === null && child.signalCode === null

  const isOpen = async () => (port === undefined ? PRINTED.test(output) : listens(port))
  for (let waited = 0; !(await isOpen()); waited += 50) {
    if (!isRunning() || waited > PATIENCE_MS) {
      if (isRunning()) kill()
      throw new Error(`${command} ${args.join(' ')} does not listen: ${fault?.message ?? ''}\n${output}`)
    }
    await sleep(50)
  }
  return {
    origin: port === undefined ? (PRINTED.exec(output)?.[0] ?? '') : `http://localhost:${port}`,
    logs: async () => output,
    async stop() {
      if (!isRunning()) return
      const ended = once(child, 'exit')
      kill()
      await ended
    },
  }
}

/** A port of the loopback that nothing listens on. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program that a test has started. */
export type StartedProgram = {
  /** The stream that follows standard output and standard error. */
  stream: Readable
  /** Asks again until there is an answer, while the program starts. */
  untilReady<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T>
  /** Sends the signal, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>
}

export function startProgram(name: string, args: string[], env: NodeJS.ProcessEnv = {}): StartedProgram {
  const child = spawn(name, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  const ended = once(child, 'exit')
  // the end is awaited only when the program is ended
  ended.catch(() => {})
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  const isGone = () => child.exitCode !== null || child.signalCode !== null

  return {
    stream: child.stdio[3] as Readable,
    async untilReady(ask) {
      for (let waited = 0; waited < 60_000 && !isGone(); waited += 50) {
        const answer = await ask()
        if (answer !== undefined) return answer
        await sleep(50)
      }
      throw new Error(`${name} did not start:\n${output}`)
    },
    async end(signal = 'SIGTERM') {
      if (isGone()) return
      child.kill(signal)
      await ended
    },
  }
}

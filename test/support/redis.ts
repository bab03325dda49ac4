import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/kit/process/freePort.ts'

/** Whether this machine has a redis-server to test with: apt-get install redis-server. */
export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export type RedisProcess = {
  url: string
  start(): Promise<void>
  kill(): Promise<void>
  /** Stops it without ending it, and lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

/** Starts a Redis that stores nothing on disk; `kill` and `start` again give an empty one at the same address. */
export async function openRedis(): Promise<RedisProcess> {
  const port = String(await freePort())
  let redis: ChildProcess | undefined
  const answers = (): boolean => {
    try {
      return execFileSync('redis-cli', ['-p', port, 'ping'], { encoding: 'utf8', stdio: 'pipe' }).trim() === 'PONG'
    } catch {
      return false
    }
  }
  const opened = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      redis = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' })
      for (let waited = 0; !answers(); waited += 50) {
        if (waited > 20_000) throw new Error('Redis did not start')
        await sleep(50)
      }
    },
    async kill() {
      if (!redis || redis.exitCode !== null || redis.signalCode !== null) return
      const ended = new Promise((resolve) => redis?.once('exit', resolve))
      redis.kill('SIGKILL')
      await ended
    },
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => void redis?.kill(signal),
  }
  await opened.start()
  return opened
}

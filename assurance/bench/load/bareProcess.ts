import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../server/kit/process/freePort.ts'
import { NODE_OPTIONS } from '../../../test/support/process.ts'

/** Starts bare.ts as a process of its own, with the options of Node.js that the service has, and waits until it listens. */
export async function startBare(kind: 'http' | 'fastify' | 'cap') {
  const port = await freePort()
  const program = fileURLToPath(new URL('bare.ts', import.meta.url))
  const child = spawn(process.execPath, [...NODE_OPTIONS, '--import', 'tsx', program, kind, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  await once(child.stdout, 'data')
  return {
    port,
    pid: child.pid ?? 0,
    async end() {
      process.off('exit', kill)
      kill()
      await once(child, 'exit')
    },
  }
}

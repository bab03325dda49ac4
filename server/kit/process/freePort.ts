import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections, from 32768 on Linux: one of those could be taken between the look
 * and its use, or while a process on it restarts.
 */
const [FIRST, LAST] = [20_000, 32_767]
const ATTEMPTS = 100
/** EACCES: the system keeps it for itself, as Windows does with some ranges. */
const TAKEN = new Set(['EADDRINUSE', 'EACCES'])

/** A TCP port of the loopback interface that is currently free. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port was found between ${FIRST} and ${LAST}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      TAKEN.has(error.code ?? '') ? resolve(false) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

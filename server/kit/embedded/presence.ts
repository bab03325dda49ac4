import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Log } from '../process/log.ts'

/** A process that uses a cluster: one service, and any number of commands. */
export type Holder = { kind: 'service' | 'command'; label: string }

const SOCKET = '.sock'

const folderOf = (dataDir: string) => join(dataDir, 'holders')

/** Runs `work` with a short path of a file in the folder: the path of a socket may have 107 characters, DATA_DIR has more. */
async function withShortPath<Out>(folder: string, name: string, work: (path: string) => Promise<Out>): Promise<Out> {
  if (process.platform !== 'linux') return work(join(folder, name))
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await work(`/proc/self/fd/${opened}/${name}`)
  } finally {
    closeSync(opened)
  }
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(path, () => resolve(server.unref()))
  })
}

/** Whether a process listens on the socket. The kernel answers: it need not run at this moment. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket.destroy() !== undefined))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}

/** The announcement of this process. */
export type Presence = { name: string; withdraw(): void }

/**
 * Announces that this process uses the cluster of DATA_DIR, until it withdraws or ends, however it ends. Locks in PostgreSQL
 * alone do not suffice: they end with the one backend that keeps them, and all of them in a crash of any backend.
 * On a file system without sockets nothing is announced.
 */
export async function announce(dataDir: string, { kind, label }: Holder, log: Log): Promise<Presence> {
  const folder = folderOf(dataDir)
  const name = `${kind}-${randomBytes(8).toString('hex')}`
  const remove = () => {
    for (const file of [name, name + SOCKET]) rmSync(join(folder, file), { force: true })
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    writeFileSync(join(folder, name), label)
    // renamed when it listens, so that nobody takes it for that of a process that has ended
    const unfinished = `${name}.new`
    const server = await withShortPath(folder, unfinished, listen)
    renameSync(join(folder, unfinished), join(folder, name + SOCKET))
    return {
      name,
      withdraw() {
        server.close()
        remove()
      },
    }
  } catch (err) {
    log.debug({ err }, 'DATA_DIR cannot contain sockets; only locks in PostgreSQL say who uses it')
    remove()
    return { name, withdraw() {} }
  }
}

/** The processes that use the cluster of DATA_DIR, other than `own`. What ended processes have left is removed. */
export async function othersIn(dataDir: string, own?: Presence): Promise<Holder[]> {
  const folder = folderOf(dataDir)
  const found = await Promise.all(
    namesIn(folder).map(async (name): Promise<Holder[]> => {
      if (name === own?.name) return []
      if (!(await withShortPath(folder, name + SOCKET, isListening))) {
        for (const file of [name, name + SOCKET]) rmSync(join(folder, file), { force: true })
        return []
      }
      return [{ kind: name.startsWith('service') ? 'service' : 'command', label: labelIn(join(folder, name)) }]
    }),
  )
  return found.flat()
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((file) => (file.endsWith(SOCKET) ? [file.slice(0, -SOCKET.length)] : []))
  } catch {
    return []
  }
}

function labelIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return 'another process'
  }
}

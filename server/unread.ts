import { readFile, readlink } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Less than this is not worth looking for the connection that holds it. */
const LITTLE = 16 * 1024

/** The columns tx_queue and inode of /proc/net/tcp, the former in hexadecimal. */
const ROW = /^ *\d+: \S+ \S+ \S+ ([\dA-F]{8}):\S+ \S+ \S+ +\d+ +\d+ (\d+)/gm

/** How many bytes the kernel holds until the other side takes them, by the inode of the socket. Empty where there is no /proc. */
async function readQueues(): Promise<Map<string, number>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  )
  const rows = tables.flatMap((table) => [...table.matchAll(ROW)])
  return new Map(rows.map(([, queue = '', inode = '']) => [inode, Number.parseInt(queue, 16)]))
}

async function inodeOf(socket: Socket): Promise<string | undefined> {
  const fd: unknown = Reflect.get(Object(Reflect.get(socket, '_handle')), 'fd')
  const link = await readlink(`/proc/self/fd/${String(fd)}`).catch(() => '')
  return /^socket:\[(\d+)\]$/.exec(link)?.[1]
}

/**
 * Resets connections whose client takes nothing for `sendTimeout` seconds. A reply of some megabytes fits into the kernel's buffer, so
 * that Node takes it for sent and the connection for idle, and a closed connection keeps its buffer for minutes; a reset frees it.
 * On Linux only: elsewhere such a connection ends with the idle ones.
 */
export function resetUnread(server: Server, sendTimeout: number): void {
  const open = new Set<Socket>()
  const stalled = new Map<Socket, { queue: number; written: number; since: number }>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      stalled.delete(socket)
    })
  })

  async function look(): Promise<void> {
    const queues = await readQueues()
    // the usual case, without a look at any connection
    if (![...queues.values()].some((queue) => queue > LITTLE)) return stalled.clear()
    const now = performance.now()
    for (const socket of open) {
      const queue = socket.bytesWritten > LITTLE ? (queues.get((await inodeOf(socket)) ?? '') ?? 0) : 0
      const former = stalled.get(socket)
      if (socket.destroyed) continue
      if (queue <= LITTLE) stalled.delete(socket)
      else if (former?.queue !== queue || former.written !== socket.bytesWritten)
        stalled.set(socket, { queue, written: socket.bytesWritten, since: now })
      else if (now - former.since >= sendTimeout * 1000) socket.resetAndDestroy()
    }
  }

  let looking = false
  const timer = setInterval(() => {
    if (looking || open.size === 0) return
    looking = true
    void look().finally(() => (looking = false))
  }, sendTimeout * 250).unref()
  server.once('close', () => clearInterval(timer))
}

import type { Worker } from 'node:cluster'

type Handle = { close(...args: unknown[]): void }
type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'

/** The worker that a connection was given to last: a worker that is ending gives it back. */
const owners = new WeakMap<Handle, Worker>()

/**
 * Closes the connections that the worker was given and has not taken when it ends, so that their clients try again. Node.js keeps
 * them open without an answer, until the clients give up (`handoff` in its lib/internal/cluster/round_robin_handle.js waits
 * for a reply of the worker).
 */
export function closeUntaken(worker: Worker): void {
  const given = new Set<Handle>()
  const target = worker.process as unknown as { send: Send }
  const send = target.send.bind(worker.process)
  target.send = (message, handle, ...rest) => {
    if (isHandle(handle)) {
      const close = handle.close.bind(handle)
      given.add(handle)
      owners.set(handle, worker)
      // the worker has taken it
      handle.close = (...args) => {
        given.delete(handle)
        close(...args)
      }
    }
    return send(message, handle, ...rest)
  }
  worker.once('exit', () => {
    for (const handle of given) if (owners.get(handle) === worker) handle.close()
  })
}

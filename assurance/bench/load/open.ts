import { connectAll } from './closed.ts'
import { Connection, type Reply } from './connection.ts'

export type Sent = { status: number; milliseconds: number; at: number }
export type OpenLoad = {
  /** In the order of their answers; `status` 0: none within the time that a client waits. `at`: milliseconds from the start. */
  sent: Sent[]
  /** Requests that were due while every connection waited for an answer. */
  unsent: number
}

/** A merchant's backend waits this long. */
const CLIENT_MS = 5000

/**
 * An open loop: `perSecond` requests are due each second whether or not earlier ones were answered, on at most `connections`
 * connections at a time: on open ones, or with `fresh` on a new one each, whose time includes opening it. A request without an
 * answer after 5 s is given up and its connection replaced.
 */
export async function openLoop(
  port: number,
  {
    perSecond,
    seconds,
    connections,
    next,
    fresh = false,
  }: { perSecond: number; seconds: number; connections: number; next: () => string; fresh?: boolean },
): Promise<OpenLoad> {
  /** Connections that no request waits on; undefined: one that may be opened. */
  const idle: (Connection | undefined)[] = []
  if (fresh) for (let i = 0; i < connections; i++) idle.push(undefined)
  else for (let i = 0; i < connections; i += 100) idle.push(...(await connectAll(port, Math.min(100, connections - i))))
  const sent: Sent[] = []
  const open = new Set<Promise<void>>()
  let unsent = 0
  const began = performance.now()

  async function send(connection: Connection | undefined): Promise<void> {
    const at = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), CLIENT_MS)))
    const opened = connection ? Promise.resolve(connection) : Connection.open(port)
    const message = next()
    const answered = opened.then((each) => each.send(message))
    const reply: Reply | undefined = await Promise.race([answered, late]).catch(() => undefined)
    clearTimeout(timer)
    sent.push({ status: reply?.status ?? 0, milliseconds: performance.now() - at, at: at - began })
    if (connection && reply && !connection.closed) idle.push(connection)
    else {
      opened.then(
        (each) => each.close(),
        () => {},
      )
      idle.push(fresh ? undefined : await Connection.open(port).catch(() => undefined))
    }
  }

  for (let due = 0; ; ) {
    const passed = (performance.now() - began) / 1000
    if (passed >= seconds) break
    for (; due < passed * perSecond; due++) {
      if (idle.length === 0) {
        unsent += 1
        continue
      }
      const request = send(idle.shift())
      open.add(request)
      void request.finally(() => open.delete(request))
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(open)
  for (const connection of idle) connection?.close()
  return { sent, unsent }
}

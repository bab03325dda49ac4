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
 * connections. A request without an answer after 5 s is given up and its connection replaced.
 */
export async function openLoop(
  port: number,
  {
    perSecond,
    seconds,
    connections,
    next,
  }: { perSecond: number; seconds: number; connections: number; next: () => string },
): Promise<OpenLoad> {
  const idle: Connection[] = []
  for (let i = 0; i < connections; i += 100)
    idle.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, connections - i) }, () => Connection.open(port)))),
    )
  const sent: Sent[] = []
  const open = new Set<Promise<void>>()
  let unsent = 0
  const began = performance.now()

  async function send(connection: Connection): Promise<void> {
    const at = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), CLIENT_MS)))
    const reply: Reply | undefined = await Promise.race([connection.send(next()), late]).catch(() => undefined)
    clearTimeout(timer)
    sent.push({ status: reply?.status ?? 0, milliseconds: performance.now() - at, at: at - began })
    if (reply && !connection.closed) idle.push(connection)
    else {
      connection.close()
      const fresh = await Connection.open(port).catch(() => undefined)
      if (fresh) idle.push(fresh)
    }
  }

  for (let due = 0; ; ) {
    const passed = (performance.now() - began) / 1000
    if (passed >= seconds) break
    for (; due < passed * perSecond; due++) {
      const connection = idle.shift()
      if (!connection) {
        unsent += 1
        continue
      }
      const request = send(connection)
      open.add(request)
      void request.finally(() => open.delete(request))
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(open)
  for (const connection of idle) connection.close()
  return { sent, unsent }
}

import { closedLoop, type Load, percentile } from './closed.ts'
import { Connection } from './connection.ts'

/** Milliseconds. `ratio`: of the slowest first request of a connection to the slowest other one. */
export type Burst = {
  'slowest first': number
  'slowest other': number
  ratio: number
  'p50 of others': number
  503: number
  'no answer': number
}

/** A connection that is opened by its first request, whose time includes that. */
function lazily(port: number): Pick<Connection, 'send' | 'close'> {
  let opened: Promise<Connection> | undefined
  return {
    send: async (request) => (await (opened ??= Connection.open(port))).send(request),
    close: () => void opened?.then((connection) => connection.close()),
  }
}

/**
 * Many connections that are opened at the same moment, each of which sends its next request once it has its reply.
 */
export async function burst(
  port: number,
  { connections, requests }: { connections: number; requests: readonly string[] },
): Promise<Burst> {
  const all = Array.from({ length: connections }, () => lazily(port))
  const load: Load = await closedLoop(all, requests)
  for (const connection of all) connection.close()
  const of = (status: number) => load.replies.filter((reply) => reply.status === status).length
  // a connection takes the first request that is left, so the first ones are each connection's first
  const first = load.milliseconds.slice(0, connections).toSorted()
  const others = load.milliseconds.slice(connections).toSorted()
  return {
    'slowest first': Math.round(percentile(first, 1)),
    'slowest other': Math.round(percentile(others, 1)),
    ratio: Number((percentile(first, 1) / percentile(others, 1)).toFixed(1)),
    'p50 of others': Math.round(percentile(others, 0.5)),
    503: of(503),
    'no answer': of(0),
  }
}

import { Connection, type Reply } from './connection.ts'

/** `milliseconds`: of each request, in the order of the requests. */
export type Load = { replies: Reply[]; milliseconds: Float64Array; seconds: number }

/** Opens keep-alive connections. */
export const connectAll = (port: number, count: number): Promise<Connection[]> =>
  Promise.all(Array.from({ length: count }, () => Connection.open(port)))

/** A closed loop: each connection sends its next request once it has its reply. */
export async function closedLoop(
  connections: readonly Pick<Connection, 'send'>[],
  requests: readonly string[],
): Promise<Load> {
  const replies: Reply[] = Array.from({ length: requests.length })
  const milliseconds = new Float64Array(requests.length)
  let next = 0
  const began = performance.now()
  await Promise.all(
    connections.map(async (connection) => {
      for (let i = next++; i < requests.length; i = next++) {
        const sent = performance.now()
        replies[i] = await connection.send(requests[i] ?? '')
        milliseconds[i] = performance.now() - sent
      }
    }),
  )
  return { replies, milliseconds, seconds: (performance.now() - began) / 1000 }
}

/** The value below which the share `part` of the sorted values lies. */
export function percentile(sorted: Float64Array, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

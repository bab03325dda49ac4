import { Connection, type Reply } from './connection.ts'

/** `milliseconds`: of each request, in the order of the requests. */
export type Load = { replies: Reply[]; milliseconds: Float64Array; seconds: number }

/** A closed loop: as many connections as `concurrency`, and each sends its next request once it has its reply. */
export async function closedLoop(port: number, concurrency: number, requests: readonly string[]): Promise<Load> {
  const replies: Reply[] = Array.from({ length: requests.length })
  const milliseconds = new Float64Array(requests.length)
  const connections = await Promise.all(Array.from({ length: concurrency }, () => Connection.open(port)))
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
  const seconds = (performance.now() - began) / 1000
  for (const connection of connections) connection.close()
  return { replies, milliseconds, seconds }
}

/** The value below which the share `part` of the sorted values lies. */
export function percentile(sorted: Float64Array, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

import { startBare } from '../load/bareProcess.ts'
import { capChallenge, capSolution } from '../load/cap.ts'
import { connectAll } from '../load/closed.ts'
import type { Bed, Site } from './bed.ts'
import { measureFlow } from './flow.ts'
import { createMeter, type Slice } from './measure.ts'
import { bareRequest } from './requests.ts'

/** Rounds of one level: what disturbs the machine for a moment then touches few of them. */
const ROUNDS = 6

/**
 * Measures bare requests, verifications with a repetition of each redemption, and Cap in turn, at each concurrency. Each round
 * begins and ends with bare requests. `requests`: of each kind and level.
 */
export async function measureLevels(
  bed: Bed,
  sites: readonly Site[],
  { levels, requests }: { levels: readonly number[]; requests: number },
): Promise<Slice[]> {
  const meter = createMeter(bed.postmaster)
  const bare = { http: await startBare('http'), fastify: await startBare('fastify'), cap: await startBare('cap') }

  async function level(concurrency: number, rounds: number, count: number): Promise<void> {
    const [http, fastify, cap, service] = await Promise.all(
      [bare.http.port, bare.fastify.port, bare.cap.port, bed.port()].map((port) => connectAll(port, concurrency)),
    )
    if (!http || !fastify || !cap || !service) return
    for (let round = 0; round < rounds; round++) {
      const bodies = Array.from({ length: count }, bareRequest)
      const measureBare = async () => {
        await meter.measure({ endpoint: 'bare node:http', pid: bare.http.pid, round }, http, bodies)
        await meter.measure({ endpoint: 'bare Fastify', pid: bare.fastify.pid, round }, fastify, bodies)
      }
      await measureBare()
      await measureFlow(meter, { bed, sites, connections: service, count, round })
      const puzzles = await meter.measure(
        { endpoint: 'Cap challenge', pid: bare.cap.pid, round },
        cap,
        Array.from({ length: count }, capChallenge),
      )
      const solved = { endpoint: 'Cap redeem', pid: bare.cap.pid, round }
      const redeemed = await meter.measure(solved, cap, puzzles.map(capSolution))
      if (redeemed.some(({ success }) => success !== true)) throw new Error('Cap refused a solution')
      await measureBare()
    }
    for (const connection of [...http, ...fastify, ...cap, ...service]) connection.close()
  }

  // warms up the JIT, as in a running service
  await level(16, 2, 2000)
  meter.slices.length = 0
  for (const concurrency of levels) {
    const rounds = concurrency === 1 ? 4 : ROUNDS
    await level(concurrency, rounds, Math.ceil(requests / (concurrency === 1 ? 4 : 1) / rounds))
  }
  await Promise.all([bare.http.end(), bare.fastify.end(), bare.cap.end()])
  return meter.slices
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../server/kit/process/freePort.ts'
import { NODE_OPTIONS } from '../../../test/support/process.ts'
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
  const bare = { fastify: await startBare('fastify'), cap: await startBare('cap') }

  async function level(concurrency: number, rounds: number, count: number): Promise<void> {
    const fastify = await connectAll(bare.fastify.port, concurrency)
    const cap = await connectAll(bare.cap.port, concurrency)
    const service = await connectAll(bed.port(), concurrency)
    for (let round = 0; round < rounds; round++) {
      const bodies = Array.from({ length: count }, bareRequest)
      const measureBare = () =>
        meter.measure({ endpoint: 'bare Fastify', pid: bare.fastify.pid, round }, fastify, bodies)
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
    for (const connection of [...fastify, ...cap, ...service]) connection.close()
  }

  // warms up the JIT, as in a running service
  await level(16, 2, 2000)
  meter.slices.length = 0
  for (const concurrency of levels) {
    const rounds = concurrency === 1 ? 4 : ROUNDS
    await level(concurrency, rounds, Math.ceil(requests / (concurrency === 1 ? 4 : 1) / rounds))
  }
  bare.fastify.end()
  bare.cap.end()
  return meter.slices
}

/** Starts load/bare.ts as a process of its own, with the options of Node.js that the service has, and waits until it listens. */
async function startBare(kind: 'fastify' | 'cap') {
  const port = await freePort()
  const program = fileURLToPath(new URL('../load/bare.ts', import.meta.url))
  const child = spawn(process.execPath, [...NODE_OPTIONS, '--import', 'tsx', program, kind, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => void child.kill()
  process.once('exit', end)
  await once(child.stdout, 'data')
  return { port, pid: child.pid ?? 0, end }
}

import type { MadeSite } from '../../test/support/make.ts'

const CONCURRENCY = 24

/** A reproducible stream of random numbers from a seed (mulberry32). */
export type Random = {
  /** From 0 to below `n`. */
  below(n: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (n) => Math.floor(next() * n),
    chance: (probability) => next() < probability,
    pick(list) {
      const found = list[Math.floor(next() * list.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
  }
}

/** A server, and sites of two tenants. */
export type Target = { url: string; site: MadeSite; other: MadeSite }

/** What a run has seen: how often each answer, and what violates the contract. */
export type Seen = { answers: Map<string, number>; faults: string[] }

/** Sends the requests 0 … count−1, some at a time. `request` makes one, the same for the same seed, and notes what it sees. */
export async function fuzz(
  { count, seed }: { count: number; seed: number },
  request: (random: Random, note: { answer(what: string): void; fault(what: string): void }) => Promise<void>,
): Promise<Seen> {
  const seen: Seen = { answers: new Map(), faults: [] }
  let next = 0
  const worker = async () => {
    for (let i = next++; i < count; i = next++)
      await request(seeded(seed * 1_000_003 + i), {
        answer: (what) => void seen.answers.set(what, (seen.answers.get(what) ?? 0) + 1),
        fault: (what) => void seen.faults.push(`request ${i}: ${what}`),
      })
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return seen
}

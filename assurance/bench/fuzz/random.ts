/** A reproducible stream of random numbers from a seed (mulberry32). */
export type Random = {
  /** From 0 to below `n`. */
  below(n: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

export function seeded(seed: number): Random {
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

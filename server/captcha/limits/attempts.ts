import type { Keyring } from '../../kit/keyring.ts'

/** Wrong solutions per permit; one more is refused before any hashing. */
const ALLOWED = 10
/** A permit lives 300 s: two generations of that length forget none that is still alive. */
const GENERATION_MS = 300_000
const MAX_PERMITS = 100_000

type Generations = { young: Map<string, number>; old: Map<string, number>; since: number }

const counted = new WeakMap<Keyring, Generations>()

/** A capped map in two generations: no timer per permit, and junk pushes out only junk of its own age. */
function generations(keyring: Keyring): Generations {
  let state = counted.get(keyring)
  const now = performance.now()
  if (!state) counted.set(keyring, (state = { young: new Map(), old: new Map(), since: now }))
  if (now - state.since > GENERATION_MS || state.young.size >= MAX_PERMITS) {
    state.old = state.young
    state.young = new Map()
    state.since = now
  }
  return state
}

const count = ({ young, old }: Generations, intentId: string) => young.get(intentId) ?? old.get(intentId) ?? 0

/** Whether the permit may send another solution to this process. */
export const mayAttempt = (keyring: Keyring, intentId: string): boolean =>
  count(generations(keyring), intentId) < ALLOWED

/** Counts a wrong solution. */
export function countWrong(keyring: Keyring, intentId: string): void {
  const state = generations(keyring)
  state.young.set(intentId, count(state, intentId) + 1)
}

import type { VisitorCtx } from '../../../accounts/access.ts'
import type { Resource } from '../../../kit/context.ts'
import { networkOf } from '../../../kit/http/network.ts'
import { HINTS, type Hint } from '../difficulty/hints.ts'
import { DecayingCounter } from '../networks/decay.ts'

const HALF_LIFE_MS = 10 * 60_000
const MAX_KEYS = 100_000

/** Solutions by network, and those of them with a hint by hint and network. */
type Marks = { solved: DecayingCounter; hinted: DecayingCounter }

const MARKS: Resource<Marks> = {
  name: 'marks of networks',
  make() {
    const counter = () => new DecayingCounter({ halfLife: HALF_LIFE_MS, maxKeys: MAX_KEYS })
    return { solved: counter(), hinted: counter() }
  },
}

/** A single solution marks its network for one half-life. */
const LEAST = 0.5
/** Below this share of its recent solutions, a network is not marked: many people may share an address with one program. */
const SHARE = 0.25

const key = (hint: Hint, network: string): string => `${hint} ${network}`

/** Counts a solution of this visitor's network with what was noticed about it. */
export function markNetwork(ctx: VisitorCtx, hints: readonly Hint[], now: number): void {
  const { solved, hinted } = ctx.resources.of(MARKS)
  const network = networkOf(ctx.visitor.address)
  solved.count(network, now)
  for (const hint of hints) hinted.count(key(hint, network), now)
}

/** What was noticed about a good part of the recent solutions of this visitor's network. */
export function marksOf(ctx: VisitorCtx, now: number): Hint[] {
  const { solved, hinted } = ctx.resources.of(MARKS)
  const network = networkOf(ctx.visitor.address)
  const all = solved.weight(network, now)
  if (all < LEAST) return []
  return HINTS.filter((hint) => hinted.weight(key(hint, network), now) >= Math.max(LEAST, SHARE * all))
}

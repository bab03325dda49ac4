import { percentile } from '../load/closed.ts'
import { median, type Slice } from './measure.ts'

/** An endpoint beside the same of a base, in the median round. `flow`: the four endpoints together. */
export type Compared = { endpoint: string; throughput: number; p99: number; node: number; postgres: number }

const FLOW = ['/intents', '/challenge', '/solve', '/siteverify']

/** Each round is compared with the same round of the base; the median of the rounds is the result. */
export function compareRounds(slices: readonly Slice[], base: readonly Slice[]): Compared[] {
  const rounds = [...new Set(slices.map(({ round }) => round))]
  const endpoints: [string, string[]][] = [
    ['flow', FLOW],
    ...[...FLOW, '/siteverify again'].map((name): [string, string[]] => [name, [name]]),
  ]
  return endpoints.map(([endpoint, names]) => {
    const each = rounds.map((round) => ({ now: sumOf(slices, names, round), was: sumOf(base, names, round) }))
    const ratio = (name: 'seconds' | 'p99' | 'node' | 'postgres') =>
      median(each.map(({ now, was }) => now[name] / was[name]))
    return {
      endpoint,
      throughput: 1 / ratio('seconds'),
      p99: ratio('p99'),
      node: ratio('node'),
      postgres: ratio('postgres'),
    }
  })
}

function sumOf(all: readonly Slice[], endpoints: readonly string[], round: number) {
  const chosen = all.filter((slice) => slice.round === round && endpoints.includes(slice.endpoint))
  const sum = (name: 'seconds' | 'node' | 'postgres') => chosen.reduce((total, slice) => total + slice[name], 0)
  const times = Float64Array.from(chosen.flatMap(({ milliseconds }) => [...milliseconds])).toSorted()
  return { seconds: sum('seconds'), node: sum('node'), postgres: sum('postgres'), p99: percentile(times, 0.99) }
}

import { connectAll, percentile } from '../load/closed.ts'
import type { Bed } from './bed.ts'
import { measureFlow } from './flow.ts'
import { createMeter, FLOW, type Row, rowsOf, type Slice } from './measure.ts'
import { median } from './report.ts'

const ROUNDS = 12
const TENANTS = 8

/** A bed under measurement. `meanwhile`: runs the load with something beside it. */
export type Variant = {
  name: string
  bed: Bed
  connections: number
  meanwhile?: (load: () => Promise<void>) => Promise<void>
}

/** An endpoint beside the same of the first variant, in the median round. `flow`: the four endpoints together. */
type Compared = { variant: string; endpoint: string; throughput: number; p99: number; node: number; postgres: number }

/**
 * Measures verifications of several beds in turn, so that what disturbs the machine meets all of them alike. Each round of a variant is
 * compared with the same round of the first.
 */
export async function measureInTurn(
  variants: readonly Variant[],
  requests: number,
): Promise<{ rows: (Row & { variant: string })[]; ratios: Compared[] }> {
  const sitesOf = (bed: Bed) => Promise.all(Array.from({ length: TENANTS }, (_, i) => bed.addSite(`Shop ${i}`)))
  const measured = await Promise.all(
    variants.map(async (variant) => ({
      ...variant,
      sites: await sitesOf(variant.bed),
      meter: createMeter(variant.bed.postmaster),
    })),
  )
  const run = async (
    { bed, sites, connections: many, meter, meanwhile }: (typeof measured)[number],
    round: number,
    count: number,
  ) => {
    // the service closes connections that are idle for long
    const connections = await connectAll(bed.port(), many)
    const load = () => measureFlow(meter, { bed, sites, connections, count, round })
    await (meanwhile ? meanwhile(load) : load())
    for (const connection of connections) connection.close()
  }
  // warms up the JIT and the caches, as in a running service
  for (const each of measured) {
    for (let i = 0; i < 3; i++) await run(each, i, 2000)
    each.meter.slices.length = 0
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const each of round % 2 === 0 ? measured : measured.toReversed())
      await run(each, round, Math.ceil(requests / ROUNDS))

  const [base, ...others] = measured
  return {
    rows: measured.flatMap(({ name, meter }) => rowsOf(meter.slices).map((row) => ({ variant: name, ...row }))),
    ratios: others.flatMap(({ name, meter }) =>
      compareRounds(meter.slices, base?.meter.slices ?? []).map((ratio) => ({ variant: name, ...ratio })),
    ),
  }
}

function compareRounds(slices: readonly Slice[], base: readonly Slice[]): Omit<Compared, 'variant'>[] {
  const rounds = [...new Set(slices.map(({ round }) => round))]
  const endpoints = { flow: FLOW, ...Object.fromEntries([...FLOW, '/siteverify again'].map((name) => [name, [name]])) }
  return Object.entries(endpoints).map(([endpoint, names]) => {
    const each = rounds.map((round) => ({ now: sumOf(slices, names, round), was: sumOf(base, names, round) }))
    const ratio = (name: 'seconds' | 'p99' | 'node' | 'postgres') =>
      median(each.map(({ now, was }) => now[name] / was[name]))
    const throughput = 1 / ratio('seconds')
    return { endpoint, throughput, p99: ratio('p99'), node: ratio('node'), postgres: ratio('postgres') }
  })
}

function sumOf(all: readonly Slice[], endpoints: readonly string[], round: number) {
  const chosen = all.filter((slice) => slice.round === round && endpoints.includes(slice.endpoint))
  const sum = (name: 'seconds' | 'node' | 'postgres') => chosen.reduce((total, slice) => total + slice[name], 0)
  const times = Float64Array.from(chosen.flatMap(({ milliseconds }) => [...milliseconds])).toSorted()
  return { seconds: sum('seconds'), node: sum('node'), postgres: sum('postgres'), p99: percentile(times, 0.99) }
}

import { cpuSeconds } from '../cpu.ts'
import { closedLoop, percentile } from '../load/closed.ts'
import type { Connection } from '../load/connection.ts'
import { median } from './report.ts'

/** What requests of one kind cost in one round. CPU in seconds per 1,000 requests. */
export type Slice = {
  endpoint: string
  concurrency: number
  round: number
  node: number
  postgres: number
  generator: number
  seconds: number
  milliseconds: Float64Array
}

export type Row = {
  endpoint: string
  concurrency: number
  requests: number
  /** CPU seconds per 1,000 requests: the median of the rounds. */
  node: number
  postgres: number
  generator: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  max: number
}

/** Measures requests by the CPU of a process, of PostgreSQL and of this one. All replies must be 200. */
export function createMeter(postmaster: number) {
  const slices: Slice[] = []
  return {
    slices,
    /** Sends the requests, keeps what they cost, and returns the parsed bodies of the replies. */
    async measure(
      { endpoint, pid, round }: { endpoint: string; pid: number; round: number },
      connections: readonly Connection[],
      requests: readonly string[],
    ): Promise<Record<string, unknown>[]> {
      // this process without its children, which are the services
      const generated = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
      const cpu = () => [cpuSeconds(pid), cpuSeconds(postmaster), generated()] as const
      const before = cpu()
      const { replies, milliseconds, seconds } = await closedLoop(connections, requests)
      const [node, postgres, generator] = cpu().map((after, i) => ((after - (before[i] ?? 0)) * 1000) / requests.length)
      const wrong = replies.find(({ status }) => status !== 200)
      if (wrong) throw new Error(`${endpoint} answered ${wrong.status} ${wrong.body}`)
      slices.push({
        endpoint,
        concurrency: connections.length,
        round,
        node: node ?? Number.NaN,
        postgres: postgres ?? Number.NaN,
        generator: generator ?? Number.NaN,
        seconds,
        milliseconds,
      })
      return replies.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    },
  }
}

export type Meter = ReturnType<typeof createMeter>

export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[][] {
  const groups = new Map<unknown, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return [...groups.values()]
}

/** A row for each endpoint and concurrency, in the order in which they were measured. */
export const rowsOf = (slices: readonly Slice[]): Row[] =>
  grouped(slices, ({ endpoint, concurrency }) => `${concurrency} ${endpoint}`).map(rowOf)

function rowOf(slices: readonly Slice[]): Row {
  const [{ endpoint, concurrency } = { endpoint: '', concurrency: 0 }] = slices
  const sorted = Float64Array.from(slices.flatMap(({ milliseconds }) => [...milliseconds])).toSorted()
  const of = (name: 'node' | 'postgres' | 'generator') => median(slices.map((slice) => slice[name]))
  return {
    endpoint,
    concurrency,
    requests: sorted.length,
    node: of('node'),
    postgres: of('postgres'),
    generator: of('generator'),
    perSecond: Math.round(sorted.length / slices.reduce((sum, { seconds }) => sum + seconds, 0)),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    max: percentile(sorted, 1),
  }
}

/** The endpoints of a verification. */
export const FLOW = ['/intents', '/challenge', '/solve', '/siteverify']

export type Ratios = {
  concurrency: number
  /** CPU seconds per 1,000 flows, Node.js and PostgreSQL. */
  flow: number
  bareFastify: number
  flowToBare: number
  siteverifyToBare: number
  /** A flow beside Cap's challenge and redemption, which is not durable and has no server-side verification yet. */
  flowToCap: number
}

/** Each round compares its flow with its own bare requests, and the median of the rounds is the result. */
export function ratiosOf(slices: readonly Slice[], concurrency: number): Ratios {
  const rounds = grouped(
    slices.filter((slice) => slice.concurrency === concurrency),
    ({ round }) => round,
  )
  const each = rounds.map((round) => {
    const cost = (endpoint: string) => {
      const found = round.filter((slice) => slice.endpoint === endpoint)
      return found.reduce((sum, { node, postgres }) => sum + node + postgres, 0) / found.length
    }
    const flow = FLOW.reduce((sum, endpoint) => sum + cost(endpoint), 0)
    const cap = cost('Cap challenge') + cost('Cap redeem')
    return { flow, bare: cost('bare Fastify'), siteverify: cost('/siteverify'), cap }
  })
  return {
    concurrency,
    flow: median(each.map(({ flow }) => flow)),
    bareFastify: median(each.map(({ bare }) => bare)),
    flowToBare: median(each.map(({ flow, bare }) => flow / (4 * bare))),
    siteverifyToBare: median(each.map(({ siteverify, bare }) => siteverify / bare)),
    flowToCap: median(each.map(({ flow, cap }) => flow / cap)),
  }
}

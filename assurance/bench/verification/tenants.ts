import { closedLoop, connectAll, percentile } from '../load/closed.ts'
import { type OpenLoad, openLoop } from '../load/open.ts'
import type { Bed, Site } from './bed.ts'
import { createMeter, median, rowsOf } from './measure.ts'
import { healthRequest, intentRequest, verifications } from './requests.ts'

const CONNECTIONS = 64
/** Of the open loop at half load. What is due while each of them waits for an answer is not sent, so there are enough for a stall. */
const OPEN_CONNECTIONS = 512
const ROUNDS = 6
const HALF_LOAD_ROUNDS = 7
/** Calls per second that the noisy site may send, and how many times that it sends. */
const NOISY = { ratePerSecond: 50, times: 20 }
const NEIGHBOUR_PER_SECOND = 200
/** Each load of a round has so many seconds. Before them each runs once, because its code is not compiled yet. */
const NEIGHBOUR = { rounds: 9, seconds: 3 }
const SETTLED_MS = 200

/** Intents of one tenant beside the same number of many, in turn: their rates and their cost. */
export async function measureHotTenant(bed: Bed, sites: readonly Site[], requests: number) {
  const meter = createMeter(bed.postmaster)
  const connections = await connectAll(bed.port(), CONNECTIONS)
  for (let round = 0; round < ROUNDS; round++)
    for (const [endpoint, among] of [
      ['many tenants', sites],
      ['one tenant', sites.slice(0, 1)],
    ] as const) {
      const all = verifications(among, Math.ceil(requests / ROUNDS)).intents()
      await meter.measure({ endpoint, pid: bed.pid(), round }, connections, all)
    }
  for (const connection of connections) connection.close()
  const rateOf = (endpoint: string) =>
    meter.slices
      .filter((slice) => slice.endpoint === endpoint)
      .map((slice) => slice.milliseconds.length / slice.seconds)
  const [many, one] = [rateOf('many tenants'), rateOf('one tenant')]
  return { rows: rowsOf(meter.slices), oneToMany: median(one.map((rate, round) => rate / (many[round] ?? 0))) }
}

/** What is sent meanwhile: nothing, as many requests that need no work, or those of a tenant past its limit. */
type Beside = 'alone' | 'health' | 'noisy'

/**
 * The times of a quiet neighbour, alone and while another tenant sends 20 times what its site may. Requests that a
 * process only has to read delay the others as well: as many of /healthz say how much.
 */
export async function measureNoisyNeighbour(bed: Bed, neighbour: Site) {
  const limits = { ratePerSecond: NOISY.ratePerSecond, rateBurst: 2 * NOISY.ratePerSecond }
  const noisy = await bed.addSite('Noisy', limits)
  const load = (port: number, perSecond: number, next: () => string) =>
    openLoop(port, { perSecond, seconds: NEIGHBOUR.seconds, connections: CONNECTIONS, next })
  const noise = NOISY.ratePerSecond * NOISY.times
  const others: Record<Beside, () => Promise<OpenLoad | undefined>> = {
    alone: async () => undefined,
    health: () => load(bed.port(), noise, healthRequest),
    noisy: () => load(bed.port(), noise, () => intentRequest(noisy)),
  }
  const kinds = Object.keys(others) as Beside[]
  for (const kind of kinds) await others[kind]()
  const measured: NeighbourSlice[] = []
  for (let round = 0; round < NEIGHBOUR.rounds; round++)
    for (const i of kinds.keys()) {
      // each kind comes first, second and last in turn
      const beside = kinds[(round + i) % kinds.length] ?? 'alone'
      const [own, other] = await Promise.all([
        load(bed.port(), NEIGHBOUR_PER_SECOND, () => intentRequest(neighbour)),
        others[beside](),
      ])
      const refused = other?.sent.filter(({ status }) => status === 429).length ?? 0
      measured.push({ round, beside, refused, ...timesOf(own) })
    }
  const ratio = (name: 'p50' | 'p99', beside: Beside, to: Beside) => {
    const of = (kind: Beside) => measured.filter((slice) => slice.beside === kind)
    const base = of(to)
    return median(of(beside).map((slice, round) => slice[name] / (base[round]?.[name] ?? Number.NaN)))
  }
  return {
    measured,
    p50: { ofAlone: ratio('p50', 'noisy', 'alone'), ofHealth: ratio('p50', 'noisy', 'health') },
    p99: { ofAlone: ratio('p99', 'noisy', 'alone'), ofHealth: ratio('p99', 'noisy', 'health') },
  }
}

/** Milliseconds of the neighbour, and how many of the noisy one's requests were refused. */
type NeighbourSlice = { round: number; beside: Beside; refused: number; p50: number; p99: number }

function timesOf({ sent }: OpenLoad): { p50: number; p99: number } {
  // the other load opens its connections in the first moments
  const settled = sent.filter(({ at }) => at >= SETTLED_MS)
  const sorted = Float64Array.from(settled, ({ milliseconds }) => milliseconds).toSorted()
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

/**
 * The times of redemptions that arrive at half the rate that a closed loop reaches, whether or not earlier ones were answered. In
 * rounds, because a single stall of the machine decides a round's 99th percentile.
 */
export async function measureHalfLoad(bed: Bed, sites: readonly Site[], requests: number) {
  const connections = await connectAll(bed.port(), CONNECTIONS)
  const bodies = async (all: readonly string[]) => {
    const load = await closedLoop(connections, all)
    return { ...load, parsed: load.replies.map(({ body }) => JSON.parse(body) as Record<string, unknown>) }
  }
  const tokens = async (count: number) => {
    const flow = verifications(sites, count)
    const opened = await bodies(flow.intents())
    const challenges = await bodies(flow.challenges(opened.parsed))
    return flow.redemptions((await bodies(flow.solutions(challenges.parsed))).parsed)
  }
  const rates: number[] = []
  const rounds: HalfLoadRound[] = []
  for (let round = 0; round < HALF_LOAD_ROUNDS; round++) {
    const first = await tokens(Math.ceil(requests / 8))
    rates.push(first.length / (await bodies(first)).seconds)
    const waiting = await tokens(Math.ceil(requests / 2))
    const perSecond = Math.round(median(rates) / 2)
    // fewer than there are tokens
    const seconds = (0.95 * waiting.length) / perSecond
    const next = () => waiting.pop() ?? ''
    const { sent, unsent } = await openLoop(bed.port(), { perSecond, seconds, connections: OPEN_CONNECTIONS, next })
    const sorted = Float64Array.from(sent, ({ milliseconds }) => milliseconds).toSorted()
    rounds.push({
      perSecond,
      requests: sent.length,
      // by the generator, which had no connection left: not a fault of the service
      notSent: unsent,
      notAnswered: sent.filter(({ status }) => status === 0).length,
      refused: sent.filter(({ status }) => status !== 0 && status !== 200).length,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      max: percentile(sorted, 1),
    })
  }
  for (const connection of connections) connection.close()
  return {
    rounds,
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    max: Math.max(...rounds.map(({ max }) => max)),
  }
}

/** Times in milliseconds. */
type HalfLoadRound = {
  perSecond: number
  requests: number
  notSent: number
  notAnswered: number
  refused: number
  p50: number
  p99: number
  max: number
}

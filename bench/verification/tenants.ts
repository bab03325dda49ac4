import { closedLoop, connectAll, percentile } from '../load/closed.ts'
import { type OpenLoad, openLoop } from '../load/open.ts'
import type { Bed, Site } from './bed.ts'
import { createMeter, median, rowsOf } from './measure.ts'
import { intentRequest, verifications } from './requests.ts'

const CONNECTIONS = 64
/** Of the open loop at half load. What is due while each of them waits for an answer is not sent, so there are enough for a stall. */
const OPEN_CONNECTIONS = 512
const ROUNDS = 6
const HALF_LOAD_ROUNDS = 7
/** Calls per second that the noisy site may send, and how many times that it sends. */
const NOISY = { ratePerSecond: 50, times: 20 }
const NEIGHBOUR_PER_SECOND = 200
/** Each round has so many seconds alone and beside. Before them the noisy one warms up, because its code is not compiled yet. */
const NEIGHBOUR = { rounds: 7, seconds: 5, warmUp: 4 }

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

/**
 * The times of a quiet neighbour, alone and while another tenant sends 20 times what its site may, in turn. Each round is
 * compared with itself, because a collection of all memory in one of them decides its 99th percentile.
 */
export async function measureNoisyNeighbour(bed: Bed, neighbour: Site) {
  const noisy = await bed.addSite('Noisy', { ratePerSecond: NOISY.ratePerSecond, rateBurst: 2 * NOISY.ratePerSecond })
  const load = (site: Site, perSecond: number, seconds = NEIGHBOUR.seconds) =>
    openLoop(bed.port(), { perSecond, seconds, connections: CONNECTIONS, next: () => intentRequest(site) })
  const noise = (seconds?: number) => load(noisy, NOISY.ratePerSecond * NOISY.times, seconds)
  await noise(NEIGHBOUR.warmUp)
  const rounds: NeighbourRound[] = []
  for (let round = 0; round < NEIGHBOUR.rounds; round++) {
    const alone = await load(neighbour, NEIGHBOUR_PER_SECOND)
    const [beside, other] = await Promise.all([load(neighbour, NEIGHBOUR_PER_SECOND), noise()])
    const [was, is] = [timesOf(alone), timesOf(beside)]
    const refused = other.sent.filter(({ status }) => status === 429).length
    rounds.push({ refused, p50Alone: was.p50, p50Beside: is.p50, p99Alone: was.p99, p99Beside: is.p99 })
  }
  return {
    rounds,
    p50: median(rounds.map((round) => round.p50Beside / round.p50Alone)),
    p99: median(rounds.map((round) => round.p99Beside / round.p99Alone)),
  }
}

/** Milliseconds, and how many of the noisy one's requests were refused. */
type NeighbourRound = { refused: number; p50Alone: number; p50Beside: number; p99Alone: number; p99Beside: number }

function timesOf({ sent }: OpenLoad): { p50: number; p99: number } {
  const sorted = Float64Array.from(sent, ({ milliseconds }) => milliseconds).toSorted()
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

import { closedLoop, connectAll, percentile } from '../load/closed.ts'
import { openLoop } from '../load/open.ts'
import type { Bed, Site } from './bed.ts'
import { median } from './report.ts'
import { verifications } from './requests.ts'

const CONNECTIONS = 64
/** Of the open loop. What is due while each of them waits for an answer is not sent, so there are enough for a stall. */
const OPEN_CONNECTIONS = 512
const ROUNDS = 7

/** Times in milliseconds. */
type Round = {
  perSecond: number
  requests: number
  notSent: number
  wrong: number
  p50: number
  p99: number
  max: number
}

/**
 * The times of redemptions that arrive at half the rate that a closed loop reaches, whether or not earlier ones were answered. In
 * rounds, because a single stall of the machine decides a round's 99th percentile.
 */
export async function measureHalfLoad(bed: Bed, sites: readonly Site[], requests: number): Promise<Round[]> {
  const connections = await connectAll(bed.port(), CONNECTIONS)
  const send = async (all: readonly string[]) =>
    (await closedLoop(connections, all)).replies.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
  const tokens = async (count: number) => {
    const flow = verifications(sites, count)
    const challenges = await send(flow.challenges(await send(flow.intents())))
    return flow.redemptions(await send(flow.solutions(challenges)))
  }
  const rates: number[] = []
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = await tokens(Math.ceil(requests / 8))
    rates.push(first.length / (await closedLoop(connections, first)).seconds)
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
      wrong: sent.filter(({ status }) => status !== 200).length,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      max: percentile(sorted, 1),
    })
  }
  for (const connection of connections) connection.close()
  return rounds
}

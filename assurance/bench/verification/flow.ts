import type { Connection } from '../load/connection.ts'
import type { Bed, Site } from './bed.ts'
import type { Meter } from './measure.ts'
import { verifications } from './requests.ts'

/** Measures `count` verifications of a bed, one endpoint after the other, and each redemption a second time. */
export async function measureFlow(
  meter: Meter,
  {
    bed,
    sites,
    connections,
    count,
    round,
  }: {
    bed: Bed
    sites: readonly Site[]
    connections: readonly Connection[]
    count: number
    round: number
  },
): Promise<void> {
  const flow = verifications(sites, count)
  const measure = (endpoint: string, all: readonly string[]) =>
    meter.measure({ endpoint, pid: bed.pid(), round }, connections, all)
  const opened = await measure('/intents', flow.intents())
  const challenges = await measure('/challenge', flow.challenges(opened))
  const tokens = await measure('/solve', flow.solutions(challenges))
  const redemptions = flow.redemptions(tokens)
  await measure('/siteverify', redemptions)
  await measure('/siteverify again', redemptions)
}

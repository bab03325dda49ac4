import type { VisitorCtx } from '../../../accounts/access.ts'
import type { Resource } from '../../../kit/context.ts'
import { DecayingCounter } from '../networks/decay.ts'
import { doublingsOfNetwork, networksOf } from '../networks/tiers.ts'
import type { Signals } from './work.ts'

const MINUTES = 2 * 60_000
const HOURS = 60 * 60_000
const MAX_KEYS = 100_000

type Counters = {
  /** By network, for all sites of the deployment; `all` together. */
  network: DecayingCounter
  all: DecayingCounter
  /** By site and subject. */
  subject: DecayingCounter
  siteNow: DecayingCounter
  siteUsual: DecayingCounter
}

const COUNTERS: Resource<Counters> = {
  name: 'challenge signals',
  make() {
    const recent = () => new DecayingCounter({ halfLife: MINUTES, maxKeys: MAX_KEYS })
    return {
      network: recent(),
      all: recent(),
      subject: recent(),
      siteNow: recent(),
      siteUsual: new DecayingCounter({ halfLife: HOURS, maxKeys: MAX_KEYS }),
    }
  },
}

/** Counts a challenge of this visitor and subject, and returns how busy they and the site have been, as seen by this node. */
export function countChallenge(ctx: VisitorCtx, subject: string | null, now: number): Signals {
  const counters = ctx.resources.of(COUNTERS)
  const site = ctx.site.id
  const recent = counters.siteNow.count(site, now)
  const usual = counters.siteUsual.count(site, now)
  return {
    network: countNetworks(counters, ctx.visitor.address, now),
    subject: subject === null ? 0 : counters.subject.count(`${site} ${subject}`, now),
    siteNow: counters.siteNow.rate(site, recent, now),
    siteUsual: counters.siteUsual.rate(site, usual, now),
    feedback: 0,
    list: null,
    hints: [],
  }
}

/** Counts a challenge in all networks of the address. The busiest decides: of equally busy ones, the smallest. */
function countNetworks({ network: counter, all: total }: Counters, address: string, now: number): Signals['network'] {
  const all = total.count('', now)
  let busiest = { doublings: 0, tier: 0 }
  for (const network of networksOf(address)) {
    const doublings = doublingsOfNetwork(network, counter.count(network.key, now), all)
    if (doublings > busiest.doublings) busiest = { doublings, tier: network.tier }
  }
  return busiest
}

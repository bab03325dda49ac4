import type { VisitorCtx } from '../../accounts/access.ts'
import type { Resource } from '../../kit/context.ts'
import { networkOf } from '../../kit/network.ts'
import { DecayingCounter } from './decay.ts'
import type { Signals } from './work.ts'

const MINUTES = 2 * 60_000
const HOURS = 60 * 60_000
const MAX_KEYS = 100_000

type Counters = {
  network: DecayingCounter
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
      subject: recent(),
      siteNow: recent(),
      siteUsual: new DecayingCounter({ halfLife: HOURS, maxKeys: MAX_KEYS }),
    }
  },
}

/** Counts a challenge of this visitor and subject, and returns how busy they and the site have been, as seen by this node. */
export function countChallenge(ctx: VisitorCtx, subject: string | null, now: number): Signals {
  const { network, subject: subjects, siteNow, siteUsual } = ctx.resources.of(COUNTERS)
  const site = ctx.site.id
  const recent = siteNow.count(site, now)
  const usual = siteUsual.count(site, now)
  return {
    network: network.count(`${site} ${networkOf(ctx.visitor.address)}`, now),
    subject: subject === null ? 0 : subjects.count(`${site} ${subject}`, now),
    siteNow: siteNow.rate(site, recent, now),
    siteUsual: siteUsual.rate(site, usual, now),
  }
}

import * as hashwx from '../../../../server/captcha/challenges/kinds/powHashwx.ts'
import * as sha256 from '../../../../server/captcha/challenges/kinds/powSha256.ts'
import { Events } from './events.ts'
import { DEVICES, type Device, type Group, type Kind, type Population } from './populations.ts'
import { Random } from './random.ts'
import { type Asked, inVirtualTime, type Refused, Service } from './service.ts'

/** One finished visit. Times in virtual milliseconds; `waited` runs from the first request to the token. */
export type Visit = { at: number; device: Device; kind: Kind; work: number; waited: number; passed: boolean }
export type Outcome = { group: Group; visits: Visit[] }

/** As in the component (widget/client.ts): tries of one request, the longest wait that it accepts, the first pause. */
const MAX_TRIES = 4
const MAX_DELAY_MS = 60_000
const FIRST_DELAY_MS = 400

/** The clocks of the limits and of the service never start at 0, and tenants are of age. */
const EPOCH = 30 * 24 * 3_600_000

/** Lets a population visit one node of the service. Deterministic for a seed. The outcome has the measured visits only. */
export async function simulate(population: Population, seed: number): Promise<Outcome[]> {
  const events = new Events()
  const now = (): number => EPOCH + events.now
  const service = new Service(now, population.mode)
  let intents = 0
  for (const { address, perSecond } of population.established) service.establish(address, perSecond)
  const outcomes = population.groups.map((group, index) => {
    const visits: Visit[] = []
    const random = new Random(seed + index)
    const visitOne = (): void => {
      visit(group, random, (finished) => {
        if (finished.at >= population.measuredFrom) visits.push(finished)
      })
      next()
    }
    const next = (): void => {
      const after = Math.max(0, events.now - group.from)
      const at = Math.max(events.now, group.from) + (random.exponential() / group.rate(after)) * 1000
      if (at < population.until) events.add(at, visitOne)
    }
    next()
    return { group, visits }
  })

  function visit(group: Group, random: Random, finish: (visit: Visit) => void): void {
    const at = events.now
    const visitor = {
      intent: `intent ${++intents}`,
      site: random.whole(group.sites),
      address: group.address(random),
      subject: null,
      kinds: group.kinds,
    }
    const device = group.device(random)
    let work = 0
    let kind: Kind = 'pow-sha256'
    const end = (passed: boolean): void => finish({ at, device, kind, work, waited: events.now - at, passed })

    /** Repeats a refused request as the component does. An attacker who gets no challenge takes another address instead. */
    const repeat = async (request: () => Promise<Refused | undefined>, tries = 1): Promise<void> => {
      const refused = await request()
      if (!refused) return
      const givesUp = group.kind !== 'person' && work === 0
      if (givesUp || tries === MAX_TRIES || refused.retryAfter * 1000 > MAX_DELAY_MS) return end(false)
      const backoff = FIRST_DELAY_MS * 2 ** (tries - 1)
      const pause = Math.max(backoff, refused.retryAfter * 1000) + random.next() * backoff
      events.add(events.now + pause, () => repeat(request, tries + 1))
    }
    const solve = async (challenge: Asked): Promise<Refused | undefined> => {
      const isLate = now() >= challenge.expiresAt
      const refused = isLate ? undefined : await service.solve(visitor, challenge)
      if (!refused) end(!isLate)
      return refused
    }
    const ask = async (): Promise<Refused | undefined> => {
      const asked = await service.ask(visitor)
      if ('retryAfter' in asked) return asked
      work = asked.work
      kind = asked.span > 0 ? 'pow-hashwx' : 'pow-sha256'
      const puzzles = asked.span > 0 ? hashwx.COUNT : sha256.COUNT
      const took = ((work * random.effort(puzzles)) / DEVICES[device]) * 1000
      // a program knows the minimum age and does not come before it
      const waits = device === 'server' ? Math.max(took, asked.minAge * 1000) : took
      events.add(events.now + waits, () => repeat(() => solve(asked)))
      return undefined
    }
    events.add(at, () => repeat(ask))
  }

  await inVirtualTime(now, () => events.run())
  return outcomes
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Sourced = { date: string; source: string }
type Monthly = Sourced & { name: string; usdPerMonth: number }

/** A measured or published rate in million hashes per second: of one core, or of a whole graphics card. */
export type Rate = Sourced & { kind: 'sha256' | 'hashwx'; way: string; on: 'server' | 'gpu'; megahashes: number }

/** server/contract/attackPrices.json, which the console shows too. Prices in US dollars. */
export type Prices = {
  asOf: string
  usdPerEuro: Sourced & { value: number }
  compute: {
    server: Sourced & { name: string; usdPerHour: number; unit: string }
    /** `card`: the `way` of its rates. */
    gpus: (Sourced & { name: string; card: string; usdPerHour: number })[]
  }
  identity: {
    host: Monthly
    prefix48: Monthly
    datacenter: Monthly
    tunnels: Monthly
    residential: Sourced & { name: string; usdPerGigabyte: number; usdPerGigabyteDear: number }
    bytesPerPass: Sourced & { value: number }
  }
  people: Sourced & { name: string; usdPerThousandLow: number; usdPerThousandHigh: number }
  /** Expected hashes of SHA-256 that one of HashWX counts as (server/captcha/challenges/kinds/powHashwx.ts). */
  sha256PerHash: number
  rates: Rate[]
  /** Ways without a measured rate. */
  unmeasured: string[]
}

export const readPrices = (): Prices =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../server/contract/attackPrices.json'), 'utf8')) as Prices

/** A way to compute a kind of challenge. `megahashes`: in hashes of SHA-256, the unit of difficulty. */
export type Compute = { way: string; on: Rate['on']; megahashes: number; usdPerHour: number }

/** US dollars for `work` expected hashes. */
export const costOf = ({ megahashes, usdPerHour }: Compute, work: number): number =>
  (work / (megahashes * 1e6) / 3600) * usdPerHour

/** The known ways to compute a kind of challenge, the cheapest first. */
export function waysOf({ rates, compute, sha256PerHash }: Prices, kind: Rate['kind']): Compute[] {
  return rates
    .filter((rate) => rate.kind === kind)
    .flatMap(({ way, on, megahashes: rate }): Compute[] => {
      const megahashes = kind === 'hashwx' ? rate * sha256PerHash : rate
      if (on === 'server') return [{ way, on, megahashes, usdPerHour: compute.server.usdPerHour }]
      return compute.gpus
        .filter(({ card }) => card === way)
        .map(({ name, usdPerHour }) => ({ way: name, on, megahashes, usdPerHour }))
    })
    .toSorted((a, b) => costOf(a, 1) - costOf(b, 1))
}

export function cheapestOf(prices: Prices, kind: Rate['kind'], on?: Rate['on']): Compute {
  const cheapest = waysOf(prices, kind).find((way) => on === undefined || way.on === on)
  if (!cheapest) throw new Error(`attackPrices.json has no way to compute ${kind}`)
  return cheapest
}

/** What an attacker pays for the addresses or people of a pass. `perHour`: passes; `tries`: visits per pass. */
export function identityCost(
  { identity, people }: Prices,
  kind: 'host' | 'prefix48' | 'datacenter' | 'tunnels' | 'residential' | 'farm',
  { perHour, tries }: { perHour: number; tries: number },
): number {
  if (kind === 'farm') return people.usdPerThousandLow / 1000
  if (kind === 'residential') return (identity.bytesPerPass.value / 1e9) * identity.residential.usdPerGigabyte * tries
  return identity[kind].usdPerMonth / 730 / perHour
}

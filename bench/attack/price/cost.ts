import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Sourced = { date: string; source: string }
type Monthly = Sourced & { name: string; usdPerMonth: number }

/** server/contract/attackPrices.json, which the console shows too. Prices in US dollars, rates in million hashes per second. */
export type Prices = {
  asOf: string
  usdPerEuro: Sourced & { value: number }
  compute: {
    server: Sourced & { name: string; usdPerHour: number; unit: string }
    gpus: (Sourced & { name: string; megahashes: number; usdPerHour: number })[]
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
  measured: {
    date: string
    machine: string
    /** SHA-256 by engine. */
    megahashesPerCore: Record<string, number>
    browserMegahashes: number
  }
  /** `sha256PerHash`: expected hashes of SHA-256 that one of HashWX counts as (server/captcha/challenges/kinds/powHashwx.ts). */
  hashwx: Sourced & { megahashesPerCore: number; browserMegahashes: number; sha256PerHash: number }
}

export const readPrices = (): Prices =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../server/contract/attackPrices.json'), 'utf8')) as Prices

/** A way to compute hashes. */
export type Compute = { name: string; megahashes: number; usdPerHour: number }

/** US dollars for `work` hashes. */
export const costOf = ({ megahashes, usdPerHour }: Compute, work: number): number =>
  (work / (megahashes * 1e6) / 3600) * usdPerHour

/** One core of a cheap server with the fastest native engine, and in a browser. */
export function serverCores({ compute, measured }: Prices): { native: Compute; browser: Compute; engine: string } {
  const [engine = '', fastest = 0] =
    Object.entries(measured.megahashesPerCore).toSorted(([, one], [, other]) => other - one)[0] ?? []
  const { name, usdPerHour } = compute.server
  return {
    engine,
    native: { name: `${name}, native (${engine})`, megahashes: fastest, usdPerHour },
    browser: { name: `${name}, our WebAssembly`, megahashes: measured.browserMegahashes, usdPerHour },
  }
}

/** The cheapest way to compute a kind of challenge. No GPU is known to compute HashWX for less than a CPU. */
export function cheapestOf(prices: Prices, kind: 'sha256' | 'hashwx'): Compute {
  const { native, browser } = serverCores(prices)
  const { hashwx } = prices
  const ways =
    kind === 'sha256'
      ? [...prices.compute.gpus, native, browser]
      : [hashwx.megahashesPerCore, hashwx.browserMegahashes].map((megahashes) => ({
          ...native,
          megahashes: megahashes * hashwx.sha256PerHash,
        }))
  const [cheapest] = ways.toSorted((a, b) => costOf(a, 1) - costOf(b, 1))
  if (!cheapest) throw new Error('attackPrices.json has no way to compute')
  return cheapest
}

/** What an attacker pays for addresses or people. `perHour`: passes; `tries`: visits per pass. */
export function identityCost(
  { identity, people }: Prices,
  kind: 'host' | 'prefix48' | 'datacenter' | 'tunnels' | 'residential' | 'farm',
  { perHour, tries }: { perHour: number; tries: number },
): number {
  if (kind === 'farm') return people.usdPerThousandLow / 1000
  if (kind === 'residential') return (identity.bytesPerPass.value / 1e9) * identity.residential.usdPerGigabyte * tries
  return identity[kind].usdPerMonth / 730 / perHour
}

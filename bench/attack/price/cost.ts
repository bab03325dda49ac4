import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Sourced = { date: string; source: string }
type Monthly = Sourced & { name: string; usdPerMonth: number }

/** bench/attack/prices.json. Prices in US dollars, rates in million hashes per second. */
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
    residential: Sourced & { name: string; usdPerGigabyte: number; usdPerGigabyteDear: number }
    bytesPerPass: Sourced & { value: number }
  }
  people: Sourced & { name: string; usdPerThousandLow: number; usdPerThousandHigh: number }
  measured: { date: string; machine: string; megahashesPerCore: Record<string, number>; browserMegahashes: number }
}

export const readPrices = (): Prices =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../prices.json'), 'utf8')) as Prices

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

/** All ways to compute, the cheapest hash first. */
export function waysToCompute(prices: Prices): Compute[] {
  const { native, browser } = serverCores(prices)
  return [...prices.compute.gpus, native, browser].toSorted((a, b) => costOf(a, 1) - costOf(b, 1))
}

/** What an attacker pays for addresses or people. `perHour`: passes; `tries`: visits per pass. */
export function identityCost(
  { identity, people }: Prices,
  kind: 'host' | 'prefix48' | 'residential' | 'farm',
  { perHour, tries }: { perHour: number; tries: number },
): number {
  if (kind === 'farm') return people.usdPerThousandLow / 1000
  if (kind === 'residential') return (identity.bytesPerPass.value / 1e9) * identity.residential.usdPerGigabyte * tries
  return identity[kind].usdPerMonth / 730 / perHour
}

/**
 * What a million passes cost an attacker, by policy and by the cheapest way of each kind of attacker. Measures the native
 * rates and the component's rate on this machine; prices and GPU rates come from server/contract/attackPrices.json. Without a C
 * compiler (on Debian: apt-get install gcc libc6-dev) the native rates of that file are used. Rates per CPU second, so
 * that other load on the machine does not change them.
 *
 *   npm run bench:attack [-- --milliseconds 2000] [--out bench/attack/results/NAME]
 *
 * --out writes NAME.json and NAME.md.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { browserRate } from './price/browser.ts'
import { cheapestOf, costOf, type Rate, readPrices } from './price/cost.ts'
import { compileNative } from './price/native.ts'
import { policies } from './price/policies.ts'
import { DEVICES } from './simulator/populations.ts'
import { dollars, markdown } from './simulator/tables.ts'

const { values: options } = parseArgs({
  options: { milliseconds: { type: 'string', default: '2000' }, out: { type: 'string' } },
})
const milliseconds = Number(options.milliseconds)
const MILLION = 1e6

/** The names of the native program's engines (assurance/bench/attack/native/search.c) in the table of rates. */
const ENGINES: Record<string, string> = {
  scalar: 'scalar',
  avx2: 'AVX2',
  'sha-ni': 'SHA instructions',
  avx512: 'AVX-512',
}

const committed = readPrices()
const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores`
const today = new Date().toISOString().slice(0, 10)
const native = compileNative()
const measured = new Map<string, number>([['browser', await browserRate(milliseconds)]])
for (const engine of native?.engines ?? [])
  measured.set(`native, ${ENGINES[engine] ?? engine}`, (await native?.rate(engine, 1, milliseconds))?.cpu ?? Number.NaN)
native?.close()
/** The committed rates, with those of SHA-256 that were measured now in their place. */
const rates = committed.rates.map((rate): Rate => {
  const megahashes = rate.kind === 'sha256' && rate.on === 'server' ? measured.get(rate.way) : undefined
  return megahashes === undefined ? rate : { ...rate, megahashes, date: today, source: machine }
})
const prices = { ...committed, rates }

const perMillion = (kind: Rate['kind'], on: Rate['on'], work: number): number =>
  costOf(cheapestOf(prices, kind, on), work) * MILLION
const people = prices.people.usdPerThousandLow * 1000
const rows = policies().map(({ name, work }) => ({
  policy: name,
  work,
  slowPhoneSeconds: work / DEVICES['slow phone'],
  sha256Gpu: perMillion('sha256', 'gpu', work),
  sha256Server: perMillion('sha256', 'server', work),
  hashwxServer: perMillion('hashwx', 'server', work),
  hashwxGpu: perMillion('hashwx', 'gpu', work),
  people,
}))
const { identity } = prices
const bandwidth = identity.bytesPerPass.value / 1e9
const addresses = {
  residential: bandwidth * identity.residential.usdPerGigabyte * MILLION,
  residentialDear: bandwidth * identity.residential.usdPerGigabyteDear * MILLION,
}

const report = [
  native ? `Measured on ${machine}` : 'No C compiler: the committed native rates are used',
  markdown(
    rates.map(({ kind, way, on, megahashes, date }) => ({
      Kind: kind,
      Way: way,
      'Million hashes per second': `${megahashes.toLocaleString('en', { maximumSignificantDigits: 3 })}${on === 'gpu' ? ' (whole card)' : ' (one core)'}`,
      Date: date,
    })),
  ),
  'US dollars per million passes, for the work alone, in the cheapest way:',
  markdown(
    rows.map((row) => ({
      Policy: row.policy,
      'Expected hashes': row.work.toLocaleString('en'),
      'Slow phone': `${row.slowPhoneSeconds.toFixed(1)} s`,
      'SHA-256, rented card': dollars(row.sha256Gpu),
      'SHA-256, server': dollars(row.sha256Server),
      'HashWX, server': dollars(row.hashwxServer),
      'HashWX, rented card': dollars(row.hashwxGpu),
      'People, from': dollars(row.people),
    })),
  ),
  `Addresses per million passes, where they are needed: residential proxies ${dollars(addresses.residential)} to ${dollars(addresses.residentialDear)} (${identity.bytesPerPass.value} bytes a pass).`,
  `Without a measured rate: ${prices.unmeasured.join('; ')}.`,
].join('\n\n')
console.log(`${report}\n\nPrices as of ${prices.asOf}; sources in server/contract/attackPrices.json`)
if (options.out !== undefined) {
  const result = { prices: prices.asOf, machine, rates, policies: rows, addresses }
  writeFileSync(`${options.out}.json`, `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(`${options.out}.md`, `${report}\n`)
}

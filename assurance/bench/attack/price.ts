/**
 * What a million passes cost an attacker, by policy and by the cheapest way of each kind of attacker. Measures the native
 * rates and the component's rates on this machine; prices and GPU rates come from server/contract/attackPrices.json. Without a C
 * compiler (on Debian: apt-get install gcc libc6-dev) the native rates of that file are used.
 *
 *   npm run bench:attack [-- --milliseconds 2000]
 */
import { parseArgs } from 'node:util'
import { machine, table } from '../verification/report.ts'
import { cheapestOf, costOf, type Rate, readPrices } from './price/cost.ts'
import { policies } from './price/policies.ts'
import { measureRates } from './price/rates.ts'
import { DEVICES } from './simulator/populations.ts'

const { values: options } = parseArgs({ options: { milliseconds: { type: 'string', default: '2000' } } })
const MILLION = 1e6

const committed = readPrices()
const measured = await measureRates(Number(options.milliseconds))
/** The committed rates of processors, with those that were measured now in their place. */
const rates = committed.rates.map((rate): Rate => {
  const now = measured.find(({ kind, way }) => rate.on === 'server' && kind === rate.kind && way === rate.way)
  return now ? { ...rate, ...now, date: new Date().toISOString().slice(0, 10) } : rate
})
const prices = { ...committed, rates }
const { identity, people } = prices

const perMillion = (kind: Rate['kind'], on: Rate['on'], work: number): number =>
  costOf(cheapestOf(prices, kind, on), work) * MILLION

console.log(`${machine()}: million hashes a second of a core, and of a whole graphics card`)
table(rates.map(({ kind, way, on, megahashes, date }) => ({ kind, way, on, megahashes, date })))
console.log('US dollars per million passes, for the work alone, in the cheapest way:')
table(
  policies().map(({ name, work }) => ({
    policy: name,
    'expected hashes': work,
    'slow phone, s': work / DEVICES['slow phone'],
    'SHA-256, rented card': perMillion('sha256', 'gpu', work),
    'SHA-256, server': perMillion('sha256', 'server', work),
    'HashWX, server': perMillion('hashwx', 'server', work),
    'HashWX, rented card': perMillion('hashwx', 'gpu', work),
    'people, from': people.usdPerThousandLow * 1000,
  })),
)
const gigabytes = (identity.bytesPerPass.value / 1e9) * MILLION
const { usdPerGigabyte, usdPerGigabyteDear } = identity.residential
const residential = [usdPerGigabyte, usdPerGigabyteDear].map((price) => (gigabytes * price).toFixed(1)).join(' to ')
console.log(`Residential addresses per million passes, where they are needed: ${residential} dollars.
Without a measured rate: ${prices.unmeasured.join('; ')}.
Prices as of ${prices.asOf}; sources in server/contract/attackPrices.json`)

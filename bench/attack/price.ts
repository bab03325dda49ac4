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
import { type Compute, costOf, readPrices, serverCores } from './price/cost.ts'
import { compileNative } from './price/native.ts'
import { policies } from './price/policies.ts'
import { DEVICES } from './simulator/populations.ts'
import { dollars, markdown } from './simulator/tables.ts'

const { values: options } = parseArgs({
  options: { milliseconds: { type: 'string', default: '2000' }, out: { type: 'string' } },
})
const milliseconds = Number(options.milliseconds)
const MILLION = 1e6

const prices = readPrices()
const threads = availableParallelism()
const native = compileNative()
const rates: { engine: string; oneCore: number; allCores: number; allCoresElapsed: number }[] = []
for (const engine of native?.engines ?? []) {
  const one = await native?.rate(engine, 1, milliseconds)
  const all = await native?.rate(engine, threads, milliseconds)
  if (one && all) rates.push({ engine, oneCore: one.cpu, allCores: all.cpu, allCoresElapsed: all.elapsed })
}
native?.close()
const browser = await browserRate(milliseconds)
const machine = cpus()[0]?.model ?? 'unknown CPU'
const measured = {
  ...prices.measured,
  ...(native && {
    machine: `${machine}, ${threads} cores`,
    megahashesPerCore: Object.fromEntries(rates.map(({ engine, oneCore }) => [engine, oneCore])),
  }),
  browserMegahashes: browser,
}
const cores = serverCores({ ...prices, measured })
const [gpu] = prices.compute.gpus.toSorted((a, b) => costOf(a, 1) - costOf(b, 1))
if (!gpu) throw new Error('attackPrices.json has no GPU')

const perMillion = (way: Compute, work: number): number => costOf(way, work) * MILLION
const people = prices.people.usdPerThousandLow * 1000
const rows = policies().map(({ name, work }) => ({
  policy: name,
  work,
  slowPhoneSeconds: work / DEVICES['slow phone'],
  gpu: perMillion(gpu, work),
  native: perMillion(cores.native, work),
  browser: perMillion(cores.browser, work),
  people,
}))
const { identity } = prices
const bandwidth = identity.bytesPerPass.value / 1e9
const addresses = {
  residential: bandwidth * identity.residential.usdPerGigabyte * MILLION,
  residentialDear: bandwidth * identity.residential.usdPerGigabyteDear * MILLION,
}

const megahashes = (rate: number): string => `${rate.toFixed(1)} MH/s`
const report = [
  native
    ? `Measured on ${measured.machine}`
    : `No C compiler: native rates of ${prices.measured.date}, ${prices.measured.machine}`,
  markdown([
    ...(native
      ? rates.map(({ engine, oneCore, allCores }) => ({
          Engine: `native, ${engine}`,
          'One core': megahashes(oneCore),
          [`${threads} cores`]: megahashes(allCores),
        }))
      : Object.entries(measured.megahashesPerCore).map(([engine, rate]) => ({
          Engine: `native, ${engine}`,
          'One core': megahashes(rate),
          [`${threads} cores`]: 'not measured',
        }))),
    { Engine: 'component, WebAssembly', 'One core': megahashes(browser), [`${threads} cores`]: 'not measured' },
    ...prices.compute.gpus.map(({ name, megahashes: rate }) => ({
      Engine: name,
      'One core': `${rate.toLocaleString('en')} MH/s (whole GPU)`,
      [`${threads} cores`]: 'published',
    })),
  ]),
  `Native (${cores.engine}) is ${(cores.native.megahashes / browser).toFixed(1)} times as fast as the component on one core; the GPU ${gpu.name} ${Math.round(gpu.megahashes / browser)} times.`,
  'US dollars per million passes, for the work alone:',
  markdown(
    rows.map((row) => ({
      Policy: row.policy,
      'Expected hashes': row.work.toLocaleString('en'),
      'Slow phone': `${row.slowPhoneSeconds.toFixed(1)} s`,
      [`GPU (${gpu.name})`]: dollars(row.gpu),
      [`Server CPU, native (${cores.engine})`]: dollars(row.native),
      'Server CPU, our WebAssembly': dollars(row.browser),
      'People, from': dollars(row.people),
    })),
  ),
  `Addresses per million passes, where they are needed: residential proxies ${dollars(addresses.residential)} to ${dollars(addresses.residentialDear)} (${identity.bytesPerPass.value} bytes a pass).`,
].join('\n\n')
console.log(`${report}\n\nPrices as of ${prices.asOf}; sources in server/contract/attackPrices.json`)
if (options.out !== undefined) {
  const result = { prices: prices.asOf, measured, allCores: rates, policies: rows, addresses }
  writeFileSync(`${options.out}.json`, `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(`${options.out}.md`, `${report}\n`)
}

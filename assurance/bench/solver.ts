/**
 * The hash rate of one worker in Chromium, for Tollgate and its alternatives, interleaved in one run. Needs a build.
 *
 *   npm run bench:solver [-- rounds, default 9]
 */
import { readdirSync } from 'node:fs'
import { withBrowser } from './browser/launch.ts'
import { serve, versionOf } from './browser/serve.ts'
import { median } from './verification/report.ts'

const ROUND_MS = 400
const rounds = Number(process.argv[2] ?? 9)

const assets = 'dist/widget/assets'
const folder = readdirSync(assets).find((name) => name.startsWith('solver-'))
if (!folder) throw new Error('No solver in dist/widget: run `npm run build` first.')

const server = await serve({
  '/': { text: '<!doctype html><script src="/solvers.js"></script>' },
  '/solvers.js': { file: 'assurance/bench/browser/solvers.js' },
  ...Object.fromEntries(
    readdirSync(`${assets}/${folder}`).map((name) => [`/solver/${name}`, { file: `${assets}/${folder}/${name}` }]),
  ),
  '/widget.js': { file: 'dist/widget/widget.js' },
  '/cap.js': { file: 'assurance/bench/browser/cap.js' },
  '/cap_wasm.js': { file: 'node_modules/@cap.js/wasm/browser/cap_wasm.js' },
  '/cap_wasm_bg.wasm': { file: 'node_modules/@cap.js/wasm/browser/cap_wasm_bg.wasm' },
  '/hash-wasm.js': { file: 'assurance/bench/browser/hash-wasm.js' },
  '/hash-wasm-module.js': { file: 'node_modules/hash-wasm/dist/index.esm.min.js' },
})
await withBrowser(async (browser) => {
  const page = await browser.newPage()
  await page.goto(server.url)
  const results = (await page.evaluate(`measure(${rounds}, ${ROUND_MS})`)) as Record<string, number[]>
  const versions: Readonly<Record<string, string>> = {
    '@cap.js/wasm': versionOf('@cap.js/wasm'),
    'hash-wasm': versionOf('hash-wasm'),
  }
  const best = median(Object.values(results)[0] ?? [])
  console.log(`Chromium ${browser.version()}, one worker, medians of ${rounds} interleaved rounds of ${ROUND_MS} ms\n`)
  for (const [name, rates] of Object.entries(results)) {
    const rate = median(rates)
    const label = `${name} ${versions[name] ?? ''}`.padEnd(24)
    console.log(`${label}${rate.toPrecision(3).padStart(6)} MH/s   ours is ${(best / rate).toFixed(1)} times as fast`)
  }
})
server.close()

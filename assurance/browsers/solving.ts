import { expect, test } from 'vitest'
import { expectOrder, expectVerified, type Stage } from './stage.ts'

/** The files of the solver that the page has loaded. */
const filesOf = (seen: string[]) =>
  [...new Set(seen.flatMap((line) => /\/solver-[\w-]+\/([\w.]+)$/.exec(line)?.[1] ?? []))].toSorted()

const WASM = ['hashwx.wasm', 'simd.wasm']

/** Policies of the page: the kind that is solved, the files that are loaded, whether workers run, and the violations that may be reported. */
const POLICIES = [
  ['HashWX is solved if WebAssembly is allowed by wasm-unsafe-eval', 'pow-hashwx', WASM, true, []],
  [
    'SHA-256 is solved in plain JavaScript if WebAssembly is forbidden',
    'pow-sha256',
    ['script.js'],
    true,
    ['script-src'],
  ],
  [
    'HashWX is solved on the main thread if workers from blob: are forbidden',
    'pow-hashwx',
    WASM,
    false,
    ['worker-src'],
  ],
  [
    'SHA-256 is solved on the main thread if both are forbidden',
    'pow-sha256',
    ['script.js'],
    false,
    ['script-src', 'worker-src'],
  ],
] as const

/** How the challenge is solved. */
export function solvingCases({ browser: current, visit }: Stage): void {
  test('HashWX is solved with WebAssembly in workers', async () => {
    const browser = current()
    const shop = await visit({ kind: 'hashwx', work: 2_000_000 })
    await expectVerified(browser)
    expect(shop.relay.kinds()).toEqual(['pow-hashwx'])
    expect(filesOf(shop.relay.seen())).toEqual(WASM)
    expect(await browser.evaluate<number>('recorder.workers.answered')).toBeGreaterThan(0)
    await browser.click('[name=by]')
    await expectOrder(shop)
  })

  test.each(POLICIES)('%s', async (_, kind, files, inWorkers, violations) => {
    const browser = current()
    const shop = await visit({
      kind: 'auto',
      work: 65_536,
      policy: (origin) =>
        `script-src 'self' ${origin}${kind === 'pow-hashwx' ? ` 'wasm-unsafe-eval'` : ''}; worker-src ${inWorkers ? 'blob:' : `'none'`}`,
    })
    await expectVerified(browser)
    expect(shop.relay.kinds()).toEqual([kind])
    expect(filesOf(shop.relay.seen())).toEqual(files)
    const workers = await browser.evaluate<Record<string, number>>('recorder.workers')
    expect(inWorkers ? workers['refused'] : workers['answered']).toBe(0)
    expect(workers['created']).toBeGreaterThan(0)
    // WebKit does not report WebAssembly
    const reported = await browser.evaluate<string[]>('recorder.violations')
    expect(violations).toEqual(expect.arrayContaining(reported))
    expect(new Set(reported).size).toBe(reported.length)
    await browser.click('[name=by]')
    await expectOrder(shop)
  })
}

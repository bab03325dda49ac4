/**
 * The download size of a visit and the time until the component is visible, for Tollgate and its alternatives, interleaved in one run, each time
 * with an empty cache, the service on another origin than the page. Needs a build.
 *
 *   npm run bench:widget [-- rounds, default 15]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { withBrowser } from './browser/launch.ts'
import { type Content, serve, versionOf } from './browser/serve.ts'
import { median } from './verification/report.ts'

/** Expected hashes of a verification, the same for all who solve here: 32 × 32,768 and 16 × 65,536. */
const OURS = { count: 32, target: 2 ** 32 / 32_768 }
const CAPS = { c: 16, s: 32, d: 4 }
const rounds = Number(process.argv[2] ?? 15)

type Subject = {
  name: string
  /** Page whose script calls `note('ready')` and, if it solves, `note('token')`. */
  page: ((service: string) => string) | undefined
  files: Readonly<Record<string, string>>
  answers?: Readonly<Record<string, Content>>
}

const NOTE = `<script>const noted = {}; const note = (what) => { noted[what] ??= performance.now() }</script>`
const inADay = () => Math.floor(Date.now() / 1000) + 86_400
const widget = 'dist/widget'
const solver = readdirSync(`${widget}/assets`).find((name) => name.startsWith('solver-'))
if (!solver) throw new Error('No component in dist/widget: run `npm run build` first.')

const SUBJECTS: Subject[] = [
  {
    name: 'tollgate',
    page: (service) => `${NOTE}
      <script>
        document.addEventListener('svc-captcha:ready', () => note('ready'))
        document.addEventListener('svc-captcha:solved', () => note('token'))
      </script>
      <script src="${service}/widget.js" async defer></script>
      <form><div class="svc-captcha" data-sitekey="s" data-intent="i" data-endpoint="${service}"></div></form>`,
    files: {
      '/widget.js': `${widget}/widget.js`,
      [`/widget/assets/${solver}/simd.wasm`]: `${widget}/assets/${solver}/simd.wasm`,
      // a new site's challenges need it; those of this comparison are the same for all
      [`/widget/assets/${solver}/hashwx.wasm`]: `${widget}/assets/${solver}/hashwx.wasm`,
    },
    answers: {
      '/challenge': () => ({
        kind: 'pow-sha256',
        challenge: 'c',
        seed: Math.random().toString(16).slice(2).padEnd(32, '0').slice(0, 32),
        ...OURS,
        expires_at: inADay(),
      }),
      '/solve': () => ({ response: 'tgr_bench', expires_at: inADay() }),
    },
  },
  {
    name: `Cap ${versionOf('@cap.js/widget')}, wasm ${versionOf('@cap.js/wasm')}`,
    page: (service) => `${NOTE}
      <script>window.CAP_CUSTOM_WASM_URL = '${service}/cap_wasm_bg.wasm'; window.CAP_SILENT = true</script>
      <script src="${service}/cap.js" async defer></script>
      <form><cap-widget id="cap" data-cap-api-endpoint="${service}/"></cap-widget></form>
      <script>
        customElements.whenDefined('cap-widget').then(async () => {
          if (cap.shadowRoot?.childElementCount) note('ready')
          cap.addEventListener('solve', () => note('token'))
          await cap.solve()
        })
      </script>`,
    files: {
      '/cap.js': 'node_modules/@cap.js/widget/cap.min.js',
      '/cap_wasm_bg.wasm': 'node_modules/@cap.js/wasm/browser/cap_wasm_bg.wasm',
    },
    answers: {
      '/challenge': () => ({ challenge: CAPS, token: `t${Math.random()}`, expires: Date.now() + 600_000 }),
      '/redeem': () => ({ success: true, token: 'bench', expires: Date.now() + 600_000 }),
    },
  },
  {
    name: `ALTCHA ${versionOf('altcha')}`,
    page: (service) => `${NOTE}
      <script src="${service}/altcha.js" async defer type="module"></script>
      <form><altcha-widget auto="off" challenge="${service}/challenge"></altcha-widget></form>
      <script>
        const look = () => document.querySelector('altcha-widget input[type=checkbox]') ? note('ready') : requestAnimationFrame(look)
        look()
      </script>`,
    files: { '/altcha.js': 'node_modules/altcha/dist/main/altcha.min.js' },
  },
  {
    name: `Friendly Captcha ${versionOf('@friendlycaptcha/sdk')} (its loader alone)`,
    page: undefined,
    files: { '/site.js': 'node_modules/@friendlycaptcha/sdk/site.min.js' },
  },
]

const weigh = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length

async function visit(browser: Browser, { page, files, answers }: Subject): Promise<Record<string, number>> {
  if (!page) return {}
  const service = await serve({
    ...Object.fromEntries(Object.entries(files).map(([path, file]) => [path, { file }])),
    ...answers,
  })
  const shop = await serve({ '/': { text: `<!doctype html><html lang="en">${page(service.url)}</html>` } })
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    await tab.goto(shop.url)
    await tab.waitForFunction(answers ? 'noted.token' : 'noted.ready', undefined, { timeout: 30_000 })
    return (await tab.evaluate('noted')) as Record<string, number>
  } finally {
    await context.close()
    service.close()
    shop.close()
  }
}

await withBrowser(async (browser) => {
  const results = SUBJECTS.map(() => [] as Record<string, number>[])
  for (let round = -1; round < rounds; round++) {
    for (const [i, subject] of SUBJECTS.entries()) {
      const noted = await visit(browser, subject)
      // the first round includes the browser's start
      if (round >= 0) results[i]?.push(noted)
    }
  }
  console.log(`Chromium ${browser.version()}, medians of ${rounds} interleaved visits with an empty cache`)
  console.log('kB after gzip -9 of what is downloaded in English; ms from navigation to ready, and to a token where')
  console.log('1,048,576 hashes are expected, without waiting for a server\n')
  for (const [i, { name, files }] of SUBJECTS.entries()) {
    const bytes = Object.values(files).reduce((sum, file) => sum + weigh(file), 0)
    const show = (what: string) => {
      const values = (results[i] ?? []).flatMap((noted) => noted[what] ?? [])
      return (values.length ? `${median(values).toFixed(0)} ms` : '–').padStart(9)
    }
    console.log(`${name.padEnd(48)}${(bytes / 1000).toFixed(1).padStart(6)} kB${show('ready')}${show('token')}`)
  }
})

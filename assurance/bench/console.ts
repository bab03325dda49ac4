/**
 * How the console's list of decisions scrolls in Chromium without a GPU, and how soon it answers clicks and keys: a list of 10,000
 * decisions is loaded, scrolled from top to bottom and back, and then used. Frames are counted by requestAnimationFrame, answers
 * by the Event Timing API, from the input to the next frame. A page that contains nothing but a table of as many columns shows what
 * the machine can draw.
 *
 *   npm run bench:console [-- --rows 10000] [--speed 8000] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { hashPassword } from 'better-auth/crypto'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { newId } from '../../server/kit/crypto/ids.ts'
import { withBrowser } from './browser/launch.ts'
import { openBed } from './verification/bed.ts'
import { machine, table, write } from './verification/report.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    /** Pixels in a second: a fast turn of a wheel. */
    speed: { type: 'string', default: '8000' },
    json: { type: 'string' },
  },
})
const rows = Number(options.rows)
const FRAME_MS = 1000 / 60
const EMAIL = 'bench@people.example'
const PASSWORD = 'correct horse battery'

/** A member of the site's tenant, and decisions of the last hour. Returns the tenant's slug. */
async function fillTenant(url: string, sitekey: string): Promise<string> {
  const sql = new pg.Pool({ connectionString: url, max: 1 })
  const { rows: found } = await sql.query<{ id: string; site: string; slug: string }>(
    'select t.id, s.id as site, t.slug from site s join tenant t on t.id = s.tenant_id where s.sitekey = $1',
    [sitekey],
  )
  const [tenant] = found
  if (!tenant) throw new Error('no tenant')
  await sql.query(
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to,
       challenged_at, solved_at, work, mobile)
     select gen_random_uuid(), $1, $2, case when n % 3 = 0 then 'login' else 'checkout' end, 'shop.example', '\\x00', '\\x00', at,
       'quota', at - interval '3 s', at - interval '1 s', 65536, n % 2 = 0
     from (select n, now() - interval '1 hour' * n / $3 as at from generate_series(1, $3::int) n) t`,
    [tenant.id, tenant.site, rows],
  )
  await sql.query(
    `insert into quota_period (tenant_id, month, included, used)
     select tenant_id, date_trunc('month', redeemed_at at time zone 'utc'), 1000000000, count(*) from decision group by 1, 2`,
  )
  const user = newId()
  await sql.query(
    `insert into "user" (id, name, email, email_verified, updated_at) values ($1, 'Pat Person', $2, true, now())`,
    [user, EMAIL],
  )
  await sql.query(
    `insert into account (id, user_id, account_id, provider_id, password, updated_at)
     values ($1, $2::uuid, $2::uuid::text, 'credential', $3, now())`,
    [newId(), user, await hashPassword(PASSWORD)],
  )
  await sql.query(`insert into member (id, tenant_id, user_id, role) values ($1, $2, $3, 'owner')`, [
    newId(),
    tenant.id,
    user,
  ])
  await sql.end()
  return tenant.slug
}

const WATCH_FRAMES = `window.times = []
window.frame = requestAnimationFrame(function watch(now) {
  window.times.push(now)
  window.frame = requestAnimationFrame(watch)
})`

/** A table without any script, of rows as high as the list's. */
const PLAIN = `<!doctype html><style>body { margin: 0; font: 13px sans-serif } td { height: 35px; padding: 0 12px }</style><table>${`<tr>${'<td>shop.example</td>'.repeat(8)}</tr>`.repeat(3000)}</table>`

/** Milliseconds between the frames while the page is scrolled by some pixels. */
async function framesWhileScrolling(page: Page, pixels: number, speed: number): Promise<number[]> {
  await page.evaluate(WATCH_FRAMES)
  const session = await page.context().newCDPSession(page)
  await session.send('Input.synthesizeScrollGesture', {
    x: 640,
    y: 500,
    yDistance: -pixels,
    speed,
    preventFling: true,
    gestureSourceType: 'mouse',
  })
  const times = await page.evaluate<number[]>('(cancelAnimationFrame(window.frame), window.times)')
  return times.slice(1).map((time, i) => time - (times[i] ?? time))
}

function summary(name: string, intervals: readonly number[]) {
  const sorted = intervals.toSorted((a, b) => a - b)
  const seconds = intervals.reduce((sum, each) => sum + each, 0) / 1000
  const late = intervals.filter((each) => each > FRAME_MS * 1.5)
  return {
    name,
    seconds,
    framesPerSecond: intervals.length / seconds,
    p50: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    longest: sorted.at(-1) ?? Number.NaN,
    'late frames %': (100 * late.length) / intervals.length,
  }
}

const EVENTS = `window.interactions = []
new PerformanceObserver((list) => {
  for (const { name, duration, interactionId } of list.getEntries()) if (interactionId) window.interactions.push({ name, duration })
}).observe({ type: 'event', durationThreshold: 16, buffered: true })`

type Interaction = { name: string; duration: number }

/** Opens and closes the filters, moves by keys, opens a decision and returns: the slowest event of each. */
async function interact(page: Page): Promise<{ name: string; milliseconds: number }[]> {
  const steps: [string, () => Promise<unknown>][] = [
    [
      'open the filters',
      () =>
        page
          .getByRole('button', { name: /filter/i })
          .first()
          .click(),
    ],
    ['close them by key', () => page.keyboard.press('Escape')],
    ['move to the next row by key', () => page.keyboard.press('Tab')],
    ['open a decision', () => page.locator('tr[data-index] a').nth(3).click()],
    ['return by key', () => page.keyboard.press('Alt+ArrowLeft')],
    ['open the command palette by key', () => page.keyboard.press('Control+k')],
    ['type in it', () => page.keyboard.type('usage', { delay: 80 })],
    ['close it by key', () => page.keyboard.press('Escape')],
  ]
  const found = []
  for (const [name, step] of steps) {
    await page.evaluate('window.interactions.length = 0')
    await step()
    await page.waitForTimeout(600)
    const events = await page.evaluate<Interaction[]>('window.interactions')
    // events below the threshold of 16 ms are not reported
    found.push({ name, milliseconds: Math.max(16, ...events.map(({ duration }) => duration)) })
  }
  return found
}

const bed = await openBed()
const site = await bed.addSite('Shop')
const slug = await fillTenant(bed.ownerUrl, site.sitekey)
const origin = `http://localhost:${bed.port()}`
try {
  await withBrowser(async (browser) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, baseURL: origin })
    const signed = await page.request.post('/auth/sign-in/email', {
      data: { email: EMAIL, password: PASSWORD },
      headers: { origin },
    })
    if (!signed.ok()) throw new Error(`the sign-in answered ${signed.status()}`)
    await page.addInitScript(EVENTS)
    await page.goto(`/o/${slug}/decisions`)
    const height = () => page.evaluate<number>('document.documentElement.scrollHeight')
    await page.locator('tr[data-index="10"]').waitFor()
    const scrolls = []
    // the first time, rows are loaded while it scrolls
    const first = await framesWhileScrolling(page, 50_000, Number(options.speed))
    scrolls.push(summary('while rows are loaded', first))
    while (!(await page.locator(`tr[aria-rowindex="${rows + 1}"]`).count())) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await page.waitForTimeout(50)
    }
    const pixels = await height()
    await page.evaluate('scrollTo(0, 0)')
    await page.waitForTimeout(500)
    scrolls.push(summary(`${rows} rows, down`, await framesWhileScrolling(page, pixels, Number(options.speed))))
    scrolls.push(summary(`${rows} rows, up`, await framesWhileScrolling(page, -pixels, Number(options.speed))))
    await page.evaluate('scrollTo(0, 0)')
    const plain = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await plain.setContent(PLAIN)
    await plain.waitForTimeout(500)
    scrolls.push(summary('a plain table, down', await framesWhileScrolling(plain, 100_000, Number(options.speed))))
    await plain.close()
    const interactions = await interact(page)
    table(scrolls)
    table(interactions)
    if (options.json)
      write({ machine: machine(), browser: browser.version(), rows, pixels, scrolls, interactions }, options.json)
  })
} finally {
  await bed.close()
}
process.exit(0)

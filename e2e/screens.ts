/**
 * Takes the pictures of the console in docs/screens anew, from a fresh evaluation with its demo data. Needs a build.
 *
 *   npm run screens
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureBrowser } from '../scripts/browser.mjs'

const FOLDER = 'docs/screens'
const SIZE = { width: 1120, height: 700 }
/** Of each picture: they are in the repository. */
const MOST_BYTES = 150_000

type Demo = { people: { role: string; email: string; password: string }[] }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function signIn(page: Page, url: string, { people }: Demo, role: string): Promise<void> {
  const person = people.find((one) => one.role === role)
  if (!person) throw new Error(`the demo has no ${role}`)
  await page.context().clearCookies()
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
}

/** Takes a picture once nothing on the page loads. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction("document.querySelector('[aria-busy=true]') === null")
  const path = join(FOLDER, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  const { size } = statSync(path)
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`)
  console.log(`${path}, ${size} bytes`)
}

async function takeAll(page: Page, url: string, demo: Demo): Promise<void> {
  await signIn(page, url, demo, 'owner')
  for (const [name, path] of [
    ['overview', '?period=30d'],
    ['decisions', '/decisions'],
    ['refusals', '/refusals?period=30d'],
    ['usage', '/usage'],
  ] as const) {
    await page.goto(`${url}/o/demo${path}`)
    await take(page, name)
  }
  await page.goto(`${url}/o/demo/decisions?outcome=confirmed_abuse&period=30d`)
  await page.getByRole('table', { name: 'Decisions' }).getByRole('link').first().click()
  await page
    .getByRole('heading', { level: 1, name: /^Decision/ })
    .and(page.locator('h1:not(:text-is("Decisions"))'))
    .waitFor()
  await take(page, 'decision')
  const id = page.url().split('/').at(-1)?.split('?')[0]

  await signIn(page, url, demo, 'staff lead')
  await page.goto(`${url}/staff/trace/${id}`)
  await take(page, 'staff-trace')
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-screens-'))
const [port, shopPort] = [await freePort(), await freePort()]
const url = `http://localhost:${port}`
const service = spawn(process.execPath, ['scripts/start.mjs'], {
  env: {
    ...process.env,
    PORT: String(port),
    SHOP_PORT: String(shopPort),
    PUBLIC_URL: url,
    DATA_DIR: folder,
    DEMO: 'on',
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const exited = once(service, 'exit')
try {
  const isUp = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true
  while (!(await isUp())) {
    if (service.exitCode !== null) throw new Error('the evaluation did not start')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const executablePath = await ensureBrowser()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: SIZE, locale: 'en-GB', timezoneId: 'Europe/Berlin' })
    await takeAll(page, url, JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo)
  } finally {
    await browser.close()
  }
} finally {
  service.kill('SIGTERM')
  await exited
  rmSync(folder, { recursive: true, force: true })
}

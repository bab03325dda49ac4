import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createIdempotencyKey, createNonce, renderScript, renderWidget, Tollgate, testKeys } from '@tollgate/node'
import { ERRORS } from '../server/contract/mistakes/errors.ts'
import { consoleUrl, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { expect, test } from './setup/test.ts'

test('the search finds an error code by keyboard alone and leads to its row', async ({ page, service }) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${consoleUrl(service)}/docs/component`)
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('already-rede')
  const first = page.getByRole('option').first()
  await expect(first).toContainText('Errors › already-redeemed')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/errors#already-redeemed$/)
  await expect(page.locator('#already-redeemed')).toBeInViewport()
  expect(problems).toEqual([])
})

test('the search leads to what the docs say about other systems, and begins with sections about it', async ({
  page,
  service,
}) => {
  await page.goto(`${consoleUrl(service)}/docs`)
  await page.getByRole('button', { name: 'Search' }).click()
  const first = page.getByRole('option').first()
  for (const [query, heading] of Object.entries({
    php: 'PHP',
    wordpress: 'WordPress',
    cors: 'Content Security Policy',
    nextjs: 'Next.js',
    vue: 'Vue',
    honeypot: 'Signs of automation',
    'test my form in CI': 'Testing',
    gdpr: 'Data and privacy',
    'test mode': 'Testing › Test keys',
    sso: 'Single sign-on',
    '2fa': 'Single sign-on › Two factors',
    price: 'Attack price',
    UNIT_PRICE: 'Settings › UNIT_PRICE',
    'wrong hostname': 'Errors › hostname',
    ajax: 'The component › Events',
    golang: 'Any other language',
    fastapi: 'Your backend › Python',
    'getting started': 'Quick start',
    'rotate secret': 'Quick start › Rotate a secret',
    'duplicate submission': 'Your backend › Time-outs, retries and replays',
    'wildcard domain': 'Quick start › Keys',
    healthcheck: 'Install › Monitoring',
    'how to change difficulty': "Limits › A site's policy",
    'log in': 'Single sign-on',
    'fail open': 'Your backend › When Tollgate is down',
    down: 'Your backend › When Tollgate is down',
    outage: 'Your backend › When Tollgate is down',
    'tollgate is down': 'Your backend › When Tollgate is down',
    spa: 'The component › Single-page applications',
    staging: 'Quick start › Keys',
    charge: 'Members and usage › Usage',
    'how is it billed': 'Members and usage › Usage',
    cookie: 'Data and privacy › What is stored',
    tls: 'Proxies and restarts › Behind a proxy',
    'report a vulnerability': 'Security › Reporting a vulnerability',
    license: 'Overview',
    'user pressed submit twice': 'Your backend › Time-outs, retries and replays',
    billing: 'Members and usage › Usage',
    roles: 'Members and usage › Roles',
    'token used twice': 'Errors › already-redeemed',
    'same token twice': 'Errors › already-redeemed',
    'token reuse': 'Errors › already-redeemed',
    'how do I verify in Go': 'Your backend › Any other language',
    'verify in Java': 'Your backend › Any other language',
    'form expired after 5 minutes': 'The component › When the intent expires',
    'user sees Cannot verify here': 'Troubleshooting',
    'multiple domains': 'Quick start › Keys',
    'can I use it with fastapi': 'Your backend › Python',
    'how long are ip addresses stored': 'Data and privacy › What is stored',
    'delete user data': 'Erase people and visitors',
    'log format': 'What is logged',
    'postgres requirements': 'Database and backups › External',
    'what if i lose the keys': 'Settings › The keys of all nodes',
    'react native': 'The component › Mobile apps and web views',
  })) {
    await page.getByRole('combobox').fill(query)
    await expect(first).toContainText(heading)
  }
})

test('the reference has one search, and leads to both APIs', async ({ page, service }) => {
  await page.goto(`${consoleUrl(service)}/docs/api`)
  await expect(page.getByRole('link', { name: 'Verification API' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('heading', { name: 'Tollgate', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /search/i })).toHaveCount(1)
  await expect(page.getByText('Client Libraries')).toBeHidden()
  await page.getByRole('link', { name: 'Management API' }).click()
  await expect(page.getByRole('heading', { name: 'Tollgate management API' })).toBeVisible()
})

test('the language of the examples is chosen once for all of them', async ({ page, service }) => {
  const tab = (name: string) => page.getByRole('button', { name, exact: true }).first()
  await page.goto(`${consoleUrl(service)}/docs`)
  await expect(tab('Node.js')).toHaveAttribute('aria-pressed', 'true')
  await tab('Python').click()
  await expect(page.locator('figure[data-tab="Python"]').first()).toBeVisible()
  await expect(page.locator('figure[data-tab="Node.js"]').first()).toBeHidden()
  await page.reload()
  await expect(tab('Python')).toHaveAttribute('aria-pressed', 'true')
})

test('the search begins with the row of the page of errors for each error code', async ({ page, service }) => {
  const ofSdks = JSON.parse(readFileSync('sdk/vectors/errors.json', 'utf8')) as { code: string }[]
  const codes = new Set([
    ...Object.keys(ERRORS),
    'missing-option',
    'network',
    'unsupported',
    ...ofSdks.map(({ code }) => code),
  ])
  codes.delete('bad-field')
  await page.goto(`${consoleUrl(service)}/docs`)
  await page.getByRole('button', { name: 'Search' }).click()
  for (const code of codes) {
    await page.getByRole('combobox').fill(code)
    await expect(page.getByRole('option').first().locator('span')).toHaveText(`Errors › ${code}`)
  }
})

test('a search for words that no page has together shows the best matches, and says so', async ({ page, service }) => {
  const first = page.getByRole('option').first()
  await page.goto(`${consoleUrl(service)}/docs`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('How do I rotate a secret safely?')
  await expect(page.getByRole('status')).toHaveText('No page contains all of these words. The best matches:')
  await expect(first).toContainText('Rotate a secret')
  await page.getByRole('combobox').fill('Where is the honeypot?')
  await expect(first).toContainText('Signs of automation')
  await expect(page.getByRole('status')).toBeHidden()
})

test('the search lists pages about the internals last, and finds a word of questions if nothing else was typed', async ({
  page,
  service,
}) => {
  await page.goto(`${consoleUrl(service)}/docs`)
  const internals = await page.locator('nav[aria-label=Guides] h2:text-is("Internals") + ul a').allTextContents()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('kill')
  await expect(page.getByRole('option').first()).toContainText('Reliability')
  const titles = await page.getByRole('option').locator('span').allTextContents()
  const isInternal = titles.map((title) => internals.some((name) => title.startsWith(name)))
  expect(isInternal).toContain(true)
  expect(isInternal).toEqual(isInternal.toSorted())
  await page.getByRole('combobox').fill('where')
  await expect(page.getByRole('option').first()).toContainText('Where webhooks may go')
})

test('a search without a result says so', async ({ page, service }) => {
  await page.goto(`${consoleUrl(service)}/docs/quick-start`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('qqqqqqqq')
  await expect(page.getByRole('status')).toHaveText('No page contains “qqqqqqqq”.')
})

test('the console leads to the docs, and the docs lead back and to the glossary of its words', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  await page.goto(tenantUrl(service, owner, '/members'))
  const help = page.getByRole('navigation', { name: 'Help' })
  await help.getByRole('link', { name: 'Docs' }).click()
  await expect(page).toHaveURL(/\/docs\/quick-start$/)
  await page.getByRole('link', { name: 'Console' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await help.getByRole('link', { name: 'Docs' }).click()
  await page.getByRole('link', { name: 'Glossary' }).first().click()
  await expect(page.getByRole('heading', { name: 'Words of the console and the API' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^decision / })).toContainText('The stored result of a redemption.')
})

/** A merchant's sign-up that runs on a test key; its address. */
async function serveSignUp(url: string): Promise<{ url: string; signedUp: string[]; close(): void }> {
  const page = { action: 'signup', hostname: 'localhost' }
  const tollgate = new Tollgate({ url, ...testKeys.pass })
  const signedUp: string[] = []

  async function showForm(): Promise<string> {
    const { sitekey, intentId } = await tollgate.createIntent({ ...page, nonce: createNonce() })
    const fields = `<input name="intent" type="hidden" value="${intentId}"><input name="email" type="email" required>`
    const widget = renderWidget({ url, sitekey, intentId })
    return `<form method="post">${fields}${widget}<button>Sign up</button></form>${renderScript({ url })}`
  }

  /** Rejects unless the visitor passed. */
  async function takeForm(request: IncomingMessage): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const form = new URLSearchParams(body)
    const [intentId, response] = [form.get('intent') ?? '', form.get('svc-captcha-response') ?? '']
    await tollgate.verify({ ...page, intentId, response, idempotencyKey: createIdempotencyKey() })
    signedUp.push(form.get('email') ?? '')
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('cache-control', 'no-store')
    if (request.method === 'POST') {
      await takeForm(request)
      response.writeHead(303, { location: '/welcome' }).end()
    } else response.end(`<!doctype html>${request.url === '/welcome' ? '<h1>Welcome</h1>' : await showForm()}`)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(409).end(String(error)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    signedUp,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('the browser test of testing.md passes unchanged', async ({ service }) => {
  const merchant = await serveSignUp(service.url)
  const [, code = ''] =
    /^```js[^\n]*\n\/\/ signup\.spec\.js\n([\s\S]*?)^```$/m.exec(readFileSync('docs/testing.md', 'utf8')) ?? []
  expect(code).toContain('http://localhost:8000')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-testing-'))
  const browser = process.env['CHROMIUM_SHELL'] ?? process.env['CHROMIUM']
  const options = { launchOptions: { args: ['--no-sandbox'], ...(browser && { executablePath: browser }) } }
  try {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'signup.spec.js'), code.replace('http://localhost:8000', merchant.url))
    writeFileSync(join(folder, 'playwright.config.js'), `module.exports = { use: ${JSON.stringify(options)} }`)
    const run = [resolve('node_modules/@playwright/test/cli.js'), 'test', '--reporter=line']
    // without the variables of the run that this test is part of
    const { PATH, HOME } = process.env
    const { stdout } = await promisify(execFile)(process.execPath, run, { cwd: folder, env: { PATH, HOME } })
    expect(stdout).toContain('1 passed')
    expect(merchant.signedUp).toEqual(['ada@example.com'])
  } finally {
    rmSync(folder, { recursive: true })
    merchant.close()
  }
})

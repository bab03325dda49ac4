import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { listen } from '../sdk/testing/listen.ts'
import { SCOPE_NAMES, type Scope } from '../server/contract/scopes.ts'
import { startJobs } from '../server/jobs.ts'
import { freePort } from '../server/kit/process/freePort.ts'
import { callManaged } from '../test/support/manage.ts'
import { type Puzzles, solvePuzzles } from '../test/support/solver.ts'
import { makeOwnedTenant } from '../test/support/tenant.ts'
import { testApp } from '../test/support/testApp.ts'

// What an agency does with docs/manage.md and docs/webhooks.md alone: the blocks of these pages are what runs here.

const ALERTS = 'sdk/node/README.md'

const app = testApp({ WEBHOOKS_ALLOW: '127.0.0.0/8' })
const run = promisify(execFile)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-manage-')))
beforeAll(() => {
  // in place of GitHub's command line: it keeps what it is given
  mkdirSync(join(folder, 'bin'))
  writeFileSync(
    join(folder, 'bin/gh'),
    '#!/bin/sh\necho "$*" >> "$GH_LOG"\ntest "$1" != secret || cat > "$GH_LOG.secret"\n',
  )
  chmodSync(join(folder, 'bin/gh'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The code of a page's blocks in the language, with the address of this service. */
const blocks = (page: string, language: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code.replaceAll('http://localhost:3000', app.url),
  )

/** The shell steps of a job of the page's workflows. */
function stepsOf(job: string): string {
  for (const block of blocks('docs/manage.md', 'yaml').filter((code) => code.startsWith('on:'))) {
    const { jobs } = parse(block) as { jobs: Record<string, { steps: { run?: string }[] }> }
    const steps = jobs[job]?.steps.flatMap(({ run }) => run ?? [])
    if (steps) return steps.join('\n')
  }
  throw new Error(`no workflow has a job ${job}`)
}

/** A customer with a folder, and with the keys of the pages. */
async function makeCustomer(name: string) {
  const { tenant, owner } = await makeOwnedTenant(app)
  const keyFor = async (scopes: Scope[]) => {
    const made = await owner.mutate('keys.create', { tenant: tenant.slug, name: 'CI', scopes })
    return (made.data as { key: string }).key
  }
  const cwd = join(folder, name)
  mkdirSync(cwd)
  const shell = async (script: string, key: string, env: Record<string, string> = {}) => {
    const settings = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      TOLLGATE_URL: app.url,
      TOLLGATE_KEY: key,
      GITHUB_RUN_ID: '1658821493',
      GITHUB_REPOSITORY: 'agency/sites',
      GH_LOG: join(cwd, 'gh'),
      npm_config_cache: join(folder, 'npm'),
      npm_config_registry: 'http://127.0.0.1:9/',
      ...env,
    }
    // as GitHub runs the steps of a job
    const { stdout } = await run('bash', ['-e', '-c', script], { cwd, env: settings })
    return stdout
  }
  return { tenant, cwd, keyFor, shell }
}

const five = (name: string) => `version: 1
sites:
${[1, 2, 3, 4, 5].map((n) => `  ${name}-${n}:\n    name: ${name} ${n}\n    hostnames: [${n}.${name}.example]\n    policy: ${n === 1 ? '&policy { base_work: 1024, challenge_kind: sha256 }' : '*policy'}`).join('\n')}
alerts: [50, 100]
`

test('ten sites of two customers are planned and applied by the workflow, once, each with the key of its customer', async () => {
  for (const name of ['acme', 'globex']) {
    const { tenant, cwd, keyFor, shell } = await makeCustomer(name)
    const [reader, writer] = [
      await keyFor(['sites:read', 'traffic:read']),
      await keyFor(['sites:read', 'sites:write', 'settings:write', 'traffic:read']),
    ]
    writeFileSync(join(cwd, 'tollgate.yaml'), five(name))
    expect(await shell(stepsOf('plan'), reader)).toContain('Plan: 15 to add, 1 to change, 0 to remove.')
    expect(await app.rows('select from site where tenant_id = $1', [tenant.id])).toEqual([])
    await expect(shell(stepsOf('apply'), reader)).rejects.toThrow('needs the scope sites:write')
    expect(await shell(stepsOf('apply'), writer)).toContain('Done: 15 added, 1 changed, 0 removed.')
    expect(await shell(stepsOf('apply'), writer)).toBe('No changes.\n')
    expect(await shell(stepsOf('plan'), reader)).toBe('No changes.\n')
    const slugs = await app.rows('select slug from site where tenant_id = $1 order by slug', [tenant.id])
    expect(slugs.map(({ slug }) => slug)).toEqual([1, 2, 3, 4, 5].map((n) => `${name}-${n}`))
  }
}, 120_000)

/** A merchant's server: `/open` answers with the id of an intent, `/redeem` verifies its token. */
const MERCHANT = `import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createIdempotencyKey, createNonce, Tollgate } from '@tollgate/node'

const { TOLLGATE_URL: url, SITEKEY: sitekey, TOLLGATE_SECRET: secret, PORT } = process.env
const client = new Tollgate({ url, sitekey, secret })
const page = { action: 'signup', hostname: 'shop.example' }
createServer(async (request, response) => {
  const given = await text(request)
  const work = request.url === '/open'
    ? client.createIntent({ ...page, nonce: createNonce() })
    : client.verify({ ...page, ...JSON.parse(given), idempotencyKey: createIdempotencyKey() })
  work.then((body) => response.end(JSON.stringify(body)), (error) => response.writeHead(500).end(String(error)))
}).listen(Number(PORT))
`

/** Starts a program of the folder, and waits until it listens. */
async function startProgram(cwd: string, file: string, port: number, env: Record<string, string>) {
  const child = spawn(process.execPath, [file], {
    cwd,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], TOLLGATE_URL: app.url, PORT: String(port), ...env },
  })
  const url = `http://127.0.0.1:${port}`
  onTestFinished(() => void child.kill())
  await vi.waitFor(() => fetch(url, { method: 'POST', body: '{}' }), { timeout: 30_000, interval: 50 })
  return { url, end: () => child.kill() }
}

test('a workflow rotates a secret, again with the same one if it is repeated, and no visitor is refused', async () => {
  const { cwd, keyFor, shell } = await makeCustomer('initech')
  const key = await keyFor(['sites:read', 'sites:write', 'settings:write', 'secrets:write'])
  const file = 'policy: { base_work: 1024, challenge_kind: sha256, rate_per_second: 200, rate_burst: 400 }'
  writeFileSync(
    join(cwd, 'tollgate.yaml'),
    `version: 1\nsites:\n  shop:\n    name: Shop\n    hostnames: [shop.example]\n    ${file}\n`,
  )
  await shell(stepsOf('apply').replace('tollgate.yaml', 'tollgate.yaml --secrets secrets.yaml'), key)
  const { shop: first = '' } = parse(readFileSync(join(cwd, 'secrets.yaml'), 'utf8')) as { shop?: string }
  const [{ sitekey } = { sitekey: '' }] = await app.rows<{ sitekey: string }>(
    "select sitekey from site where slug = 'shop' order by created_at desc limit 1",
  )
  const [install = ''] = blocks(ALERTS, 'sh').flatMap((code) =>
    code.split('\n').filter((line) => line.startsWith('npm install')),
  )
  await shell(install, key)
  writeFileSync(join(cwd, 'merchant.mjs'), MERCHANT)
  const deploy = async (secret: string) =>
    startProgram(cwd, 'merchant.mjs', await freePort(), { SITEKEY: sitekey, TOLLGATE_SECRET: secret })

  let merchant = await deploy(first)
  const outcomes: unknown[] = []
  /** Opens a form, solves its challenge and submits it. */
  async function visit(): Promise<void> {
    const { url } = merchant
    const post = async (path: string, body: object) =>
      (await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })).text()
    const opened = await post('/open', {})
    const { intentId } = JSON.parse(opened) as { intentId: string }
    const keys = { sitekey, secret: '' }
    const { body: challenge } = await app.client.challenge(keys, intentId)
    const solution = solvePuzzles(challenge as Puzzles)
    const solved = { intent_id: intentId, challenge: challenge['challenge'], solution }
    const { response } = (await app.client.solve(keys, solved)).body
    const decision = JSON.parse(await post('/redeem', { intentId, response })) as { assessment: string }
    outcomes.push(decision.assessment)
  }
  const closing = new AbortController()
  const visiting = (async () => {
    while (!closing.signal.aborted) await visit().catch((error: unknown) => outcomes.push(error))
  })()
  const more = (count = outcomes.length + 5) =>
    vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(count), { timeout: 30_000, interval: 50 })

  await more()
  expect(await shell(stepsOf('rotate'), key)).toMatch(/^::add-mask::tg_secret_\w{49}\n$/)
  const stored = readFileSync(join(cwd, 'gh.secret'), 'utf8')
  expect(stored).toMatch(/^tg_secret_\w{49}$/)
  expect(readFileSync(join(cwd, 'gh'), 'utf8')).toBe(
    'secret set TOLLGATE_SECRET --repo agency/sites\nworkflow run deploy.yml --repo agency/sites\n',
  )
  await shell(stepsOf('rotate'), key)
  expect(readFileSync(join(cwd, 'gh.secret'), 'utf8')).toBe(stored)
  // another run, before the overlap is over
  await expect(shell(stepsOf('rotate'), key, { GITHUB_RUN_ID: '2' })).rejects.toThrow('2 secrets are already active')
  expect(readFileSync(join(cwd, 'gh.secret'), 'utf8')).toBe(stored)
  await more()
  const former = merchant
  merchant = await deploy(stored)
  await more()
  former.end()
  await app.sql.query('update secret set expires_at = now() where expires_at is not null and last4 = $1', [
    first.slice(-4),
  ])
  const refused = () => app.client.intent({ sitekey, secret: first })
  await expect.poll(async () => (await refused()).status, { timeout: 20_000 }).toBe(401)
  await more()
  closing.abort()
  await visiting
  expect(new Set(outcomes)).toEqual(new Set(['passed']))
}, 120_000)

test('the program of the guide writes each event into a chat, again if the chat did not answer, and nothing that is forged', async () => {
  const { cwd, keyFor, shell } = await makeCustomer('umbrella')
  const key = await keyFor([...SCOPE_NAMES])
  const said: unknown[] = []
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    said.push(JSON.parse(await text(request)))
    response.writeHead(said.length === 1 ? 500 : 200).end('ok')
  }
  const chat = await listen((request, response) => void hear(request, response))
  const port = await freePort()
  writeFileSync(
    join(cwd, 'tollgate.yaml'),
    `version: 1
sites:
  shop: { name: Shop, hostnames: [shop.example] }
webhooks:
  - { url: 'http://127.0.0.1:${port}/', types: [incident.started, site.paused] }
`,
  )
  await shell(stepsOf('apply').replace('tollgate.yaml', 'tollgate.yaml --secrets secrets.yaml'), key)
  const secrets = parse(readFileSync(join(cwd, 'secrets.yaml'), 'utf8')) as Record<string, string>
  const [install = ''] = blocks(ALERTS, 'sh').flatMap((code) =>
    code.split('\n').filter((line) => line.startsWith('npm install')),
  )
  await shell(install, key)
  const program = blocks(ALERTS, 'js').find((code) => code.startsWith('// alerts.mjs')) ?? ''
  writeFileSync(join(cwd, 'alerts.mjs'), program)
  const secret = secrets[`webhook http://127.0.0.1:${port}/`] ?? ''
  const { url } = await startProgram(cwd, 'alerts.mjs', port, {
    CHAT_URL: chat.url,
    TOLLGATE_WEBHOOK_SECRET: secret,
  })
  const jobs = await startJobs(app.opened)
  try {
    const { rows: sites } = (await callManaged(app, key, 'sites.list')).body as { rows: { id: string }[] }
    await callManaged(app, key, 'sites.pause', { site: sites[0]?.id })
    await expect.poll(() => said, { timeout: 20_000 }).toHaveLength(2)
    const line = { text: `Tollgate: site.paused (site ${sites[0]?.id})` }
    expect(said).toEqual([line, line])
    const { rows: webhooks } = (await callManaged(app, key, 'webhooks.list')).body as { rows: { id: string }[] }
    const id = String(webhooks[0]?.id)
    const deliveries = async () =>
      ((await callManaged(app, key, 'webhooks.deliveries', { id })).body as { rows: { state: string }[] }).rows
    await expect.poll(async () => (await deliveries())[0]?.state, { timeout: 20_000 }).toBe('delivered')
    await callManaged(app, key, 'webhooks.test', { id })
    await expect
      .poll(() => said.at(-1), { timeout: 20_000 })
      .toEqual({ text: `Tollgate: webhook.test (webhook ${id})` })
    // a repetition is not written twice, and what another secret signs not at all
    const send = async (by: string, event: string) => {
      const [at, body] = [new Date(), '{"type":"site.paused","data":{}}']
      const signature = new Webhook(by).sign(event, at, body)
      const headers = {
        'webhook-id': event,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signature,
      }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    expect([await send(secret, 'a'), await send(secret, 'a')]).toEqual([204, 204])
    expect(await send('whsec_c2VjcmV0', 'b')).toBe(400)
    expect(said).toHaveLength(4)
  } finally {
    await jobs.close()
    await chat.close()
  }
}, 120_000)

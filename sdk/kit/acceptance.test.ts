import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../server/kit/process/freePort.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { listen } from '../testing/listen.ts'
import { startMerchant } from './careless/merchant.ts'
import type { Result } from './check.ts'
import { testKeys } from './keys.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ TEST_KEYS: 'on' })
})
afterAll(() => app.close())

function run(...args: string[]): Promise<{ code: number | null; output: string; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'sdk/kit/main.ts', 'accept', ...args], {
    env: { PATH: process.env['PATH'] },
  })
  let [output, said] = ['', '']
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output, said })))
}

test('reports the selected checks of an adapter and exits with 0', async () => {
  const { code, output } = await run(
    '--adapter',
    'sdk/kit/careless/merchant.ts',
    '--tollgate',
    `${app.url}/`,
    '--no-browser',
    '--only',
    '4,6',
  )
  expect(output).toContain('Acceptance of a careful merchant')
  expect(output).toMatch(/\n4\. Changing form content.*\n {2}ok {6}after success/)
  expect(output).toMatch(/\n6\. Logs contain no secret/)
  expect(output).not.toMatch(/\n[1235]\. |FAILED/)
  expect(code).toBe(0)
})

test('checks a running merchant by URL, lists failures in the JSON and exits with 1', async () => {
  const port = await freePort()
  const settings = { ...testKeys('pass'), tollgateUrl: `http://127.0.0.1:${port}`, hostname: 'localhost' } as const
  const merchant = await startMerchant(settings, 'may-be-cached')
  const { form, fields, changed } = merchant
  const own = await listen((request, response) => {
    const answers: Record<string, () => Promise<string>> = {
      '/executed': async () => JSON.stringify({ executed: await merchant.executed() }),
      '/logs': () => merchant.logs(),
    }
    const described = {
      name: 'elsewhere',
      form,
      fields,
      changed,
      executed: `${own.url}/executed`,
      logs: `${own.url}/logs`,
    }
    const answer = answers[request.url ?? ''] ?? (async () => JSON.stringify(described))
    void answer().then((body) => response.end(body))
  })
  const { code, output, said } = await run(
    '--adapter',
    own.url,
    '--listen',
    String(port),
    '--tollgate',
    app.url,
    '--no-browser',
    '--only',
    '1,6',
    '--json',
  )
  await own.close()
  await merchant.stop()
  expect(said).toContain(`TOLLGATE_URL=http://127.0.0.1:${port}`)
  const report = JSON.parse(output) as { merchant: string; failed: number[]; results: Result[] }
  expect(report).toMatchObject({ merchant: 'elsewhere', failed: [6] })
  expect(report.results.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
    { check: 6, expected: expect.stringContaining('no-store'), happened: expect.stringContaining('max-age=60') },
  ])
  expect(report.results.filter(({ happened }) => /cannot start this merchant/.test(happened ?? ''))).toHaveLength(2)
  expect(code).toBe(1)
})

test('--help prints the usage', async () => {
  const { code, output } = await run('--help')
  expect(output).toContain('npm run accept -- --adapter FILE|URL')
  expect(code).toBe(0)
})

test.each([
  ['no adapter is named', [], '--adapter is missing'],
  ['an option is unknown', ['--adaptor', 'x'], 'Usage'],
  ['a check does not exist', ['--adapter', 'x.ts', '--only', '7'], '--only takes checks from 1 to 6'],
  ['no service runs', ['--adapter', 'x.ts', '--tollgate', 'http://127.0.0.1:9'], 'npm start'],
  ['the secret is missing', ['--adapter', 'x.ts', '--sitekey', `tg_site_${'a'.repeat(20)}`], 'TOLLGATE_SECRET'],
])('where %s, it says what to do and ends with 2', async (_, args, expected) => {
  const { code, said } = await run(...args)
  expect(said).toContain(expected)
  expect(code).toBe(2)
})

test('names a file that exports no adapter', async () => {
  const { code, said } = await run('--adapter', 'sdk/kit/keys.ts', '--tollgate', app.url)
  expect(said).toMatch(/keys\.ts must export \{ name, start \} by default/)
  expect(code).toBe(2)
})

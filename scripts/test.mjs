// npm test: everything that the product promises, from a fresh clone. npm run assurance: the tests that take minutes. Either with
// the name of a suite runs that one, with the arguments after it: `npm test -- e2e widget`, `npm run assurance -- faults`.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bootstrap, EXTRAS, root } from './bootstrap.mjs'
import { ensureBrowser, findShell } from './browser.mjs'
import { findPhp } from './php.mjs'
import { findPython } from './python.mjs'
import { countBrowserTests, printFailures, printSlowest } from './reports.mjs'
import { REPORT, worksWithDifference } from './worksWith.mjs'

/** So many tests that passed only when they were tried again fail the run: they hide a fault. */
const MOST_RETRIED = 2

const isAssurance = process.argv[2] === 'assurance'
const [only, ...rest] = process.argv.slice(isAssurance ? 3 : 2)
await bootstrap(EXTRAS)
const reports = mkdtempSync(join(tmpdir(), 'tollgate-reports-'))
const sums = { passed: 0, failed: 0 }
/** @type {string[]} */
const times = []
/** @type {import('./reports.mjs').Failure[]} */
const failures = []
/** Browser tests that passed when they were tried again. @type {import('./reports.mjs').Failure[]} */
const retried = []

/** @param {import('./reports.mjs').Failure} failure */
function fail(failure) {
  sums.failed += 1
  failures.push(failure)
}

/**
 * Runs a suite and adds up what its report says; a suite that leaves no report has failed. `isBeside`: its output is held
 * back until it ends, because another suite prints meanwhile.
 */
async function suite(name, tool, args, env, count, { isBeside = false } = {}) {
  const began = performance.now()
  const report = join(reports, `${name}.json`)
  const child = spawn(process.execPath, [join(root, 'node_modules', tool), ...args(report)], {
    cwd: root,
    stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env(report) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const [status] = await once(child, 'close')
  process.stdout.write(output)
  /** @type {import('./reports.mjs').Counted} */
  let counted = { passed: 0, failed: 1, tests: [], failures: [{ title: name, reason: 'no report was written' }] }
  try {
    counted = count(JSON.parse(readFileSync(report, 'utf8')))
  } catch (error) {
    console.error(`${name}: no report was read:`, error)
  }
  if (status !== 0 && counted.failed === 0) {
    counted.failed = 1
    counted.failures.push({ title: name, reason: `no test failed, but the suite ended with status ${status}` })
  }
  failures.push(...counted.failures)
  retried.push(...(counted.retried ?? []))
  sums.passed += counted.passed
  sums.failed += counted.failed
  if (counted.tests.length > 0) printSlowest(name, counted.tests)
  times.push(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  console.log(`\n${times.at(-1)}`)
}

function budgets() {
  const args = [join(root, 'node_modules/tsx/dist/cli.mjs'), 'scripts/budgets.ts']
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status === 0) sums.passed += 1
  else fail({ title: 'budgets', reason: 'a budget is exceeded: its line is at the top' })
}

/**
 * The tests of an SDK in another language, which need its program.
 * @param {string} name @param {string | undefined} program @param {string} version @param {(report: string) => string[]} args
 */
async function sdkTests(name, program, version, args) {
  if (!program) {
    console.error(`${name}: there is no ${version}, so its SDK was not tested`)
    if (process.env.CI) fail({ title: name, reason: `there is no ${version}` })
    return
  }
  await suite(
    name,
    'tsx/dist/cli.mjs',
    (report) => ['scripts/sdkTests.ts', program, ...args(report), ...rest],
    () => ({}),
    (report) => ({ ...report, tests: [] }),
    { isBeside: only === undefined },
  )
}

const pythonTests = () =>
  sdkTests('python', findPython(), 'Python 3.9 or newer', (report) => [
    '-W',
    'error',
    'sdk/python/tests/run.py',
    report,
  ])
const phpTests = () => sdkTests('php', findPhp(), 'PHP 8.1 or newer', (report) => ['sdk/php/tests/run.php', report])

const vitest = (config) => () =>
  suite(
    'unit',
    'vitest/vitest.mjs',
    () => ['run', '--config', config, '--reporter=default', '--reporter=./scripts/vitestReport.mjs', ...rest],
    (report) => ({ PROGRAM: 'build', REPORT: report }),
    (report) => report,
  )

/** @param {string} config @param {object} variables @param {(report: any) => import('./reports.mjs').Counted} count */
const playwright =
  (config, variables, count, projects = []) =>
  async () => {
    const browser = await ensureBrowser()
    const shell = process.env.CHROMIUM_SHELL ?? findShell()
    await suite(
      'e2e',
      '@playwright/test/cli.js',
      () => ['test', '--config', config, '--reporter=list,json', ...projects, ...rest],
      (report) => ({
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        ...variables,
        ...(browser ? { CHROMIUM: browser } : {}),
        ...(shell ? { CHROMIUM_SHELL: shell } : {}),
      }),
      count,
    )
  }

/** Keeps the report for the table of docs/works-with.md, and compares the two after a complete run. */
function countFrameworks(report) {
  mkdirSync(dirname(REPORT), { recursive: true })
  writeFileSync(REPORT, JSON.stringify(report))
  const counted = countBrowserTests(report)
  const reason = rest.length === 0 && counted.failed === 0 ? worksWithDifference(report) : ''
  if (reason === '') return counted
  return { ...counted, failed: 1, failures: [...counted.failures, { title: 'docs/works-with.md', reason }] }
}

// CI sets ALL_WIDTHS for npm test, so that no journey runs twice
const untested = process.env.ALL_WIDTHS ? ['--project', 'assurance'] : []

/** Alone, because it stops and floods its service. */
const faults = () =>
  suite(
    'faults',
    'tsx/dist/cli.mjs',
    (report) => ['assurance/faults/main.ts', '--report', report, ...rest],
    () => ({}),
    (report) => report,
  )

/** @type {Record<string, () => Promise<void> | void>} */
const SUITES = isAssurance
  ? {
      unit: vitest('assurance/vitest.config.ts'),
      e2e: playwright('assurance/playwright.config.ts', { ALL_WIDTHS: 'yes' }, countFrameworks, untested),
      faults,
    }
  : {
      budgets,
      // beside the unit tests, because they wait for time-outs two thirds of their time
      'python, php and unit': async () => {
        const beside = pythonTests().then(phpTests)
        await vitest('vitest.config.ts')()
        await beside
      },
      e2e: playwright('e2e/playwright.config.ts', {}, countBrowserTests),
    }
const ALONE = isAssurance ? SUITES : { ...SUITES, python: pythonTests, php: phpTests, unit: vitest('vitest.config.ts') }

if (only !== undefined && !ALONE[only]) {
  console.error(`There is no suite "${only}". The suites: ${Object.keys(ALONE).join(', ')}.`)
  process.exit(2)
}
for (const run of only === undefined ? Object.values(SUITES) : [ALONE[only]]) await run()
if (retried.length > MOST_RETRIED)
  fail({ title: 'flaky tests', reason: `${retried.length} tests passed only when they were tried again` })
rmSync(reports, { recursive: true, force: true })
printFailures(failures, retried)
console.log(`\ntook ${(performance.now() / 1000).toFixed(0)} s (${times.join(', ')})`)
console.log(`${sums.passed} passed, ${sums.failed} failed`)
process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1)

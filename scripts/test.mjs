// npm test: everything that proves the product, from a fresh clone. `npm test -- unit`, `-- python`, `-- e2e`, `-- faults`
// or `-- budgets` runs a part.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bootstrap, EXTRAS, root } from './bootstrap.mjs'
import { ensureBrowser, findShell } from './browser.mjs'
import { findPython } from './python.mjs'

await bootstrap(EXTRAS)
const [only, ...rest] = process.argv.slice(2)
const reports = mkdtempSync(join(tmpdir(), 'tollgate-reports-'))
const sums = { passed: 0, failed: 0 }
/** How many of a suite's tests and files are named as its slowest. */
const SLOWEST = 20

/** @typedef {{ passed: number, failed: number, tests: { title: string, ms: number }[] }} Counted */

/** The tests of Vitest's JSON report. @returns {Counted} */
function countUnits({ numPassedTests, numFailedTests, testResults }) {
  const empty = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      title: `${relative(root, name)} › ${fullName}`,
      ms: duration ?? 0,
    })),
  )
  return { passed: numPassedTests, failed: numFailedTests + empty.length, tests }
}

/** The tests of Playwright's JSON report; a test that was tried again took the sum. @returns {Counted} */
function countBrowserTests({ stats, suites }) {
  const testsOf = ({ file, specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ projectName, results }) => ({
        title: `[${projectName}] ${file} › ${title}`,
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
      })),
    ),
    ...inner.flatMap(testsOf),
  ]
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, tests: suites.flatMap(testsOf) }
}

/** Prints the tests that took longest, and the files, which are named before the first › of a title. */
function printSlowest(name, tests) {
  /** @type {Map<string, number>} */
  const files = new Map()
  for (const { title, ms } of tests) {
    const file = title.split(' › ', 1)[0] ?? ''
    files.set(file, (files.get(file) ?? 0) + ms)
  }
  const lists = { tests, files: [...files].map(([title, ms]) => ({ title, ms })) }
  for (const [what, all] of Object.entries(lists)) {
    const slowest = all.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
    console.log(`\n${name}: the slowest ${slowest.length} of ${all.length} ${what}`)
    for (const { title, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${title}`)
  }
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
  /** @type {Counted} */
  let counted = { passed: 0, failed: 1, tests: [] }
  try {
    counted = count(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    console.error(`${name}: no report was written`)
  }
  if (status !== 0 && counted.failed === 0) counted.failed = 1
  sums.passed += counted.passed
  sums.failed += counted.failed
  if (counted.tests.length > 0) printSlowest(name, counted.tests)
  console.log(`\n${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

if (only === undefined || only === 'budgets') {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'scripts/budgets.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  sums[status === 0 ? 'passed' : 'failed'] += 1
}
const python = findPython()
/** Runs beside the unit tests, because it waits for time-outs two thirds of its time. */
let besideUnits
if (only === undefined || only === 'python') {
  if (python) {
    besideUnits = suite(
      'python',
      'tsx/dist/cli.mjs',
      (report) => ['scripts/python.ts', python, report, ...rest],
      () => ({}),
      (report) => ({ ...report, tests: [] }),
      { isBeside: only === undefined },
    )
  } else {
    console.error('python: there is no Python 3.9 or newer, so its SDK was not tested')
    if (process.env.CI) sums.failed += 1
  }
}
if (only === undefined || only === 'unit') {
  await suite(
    'unit',
    'vitest/vitest.mjs',
    (report) => ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...rest],
    () => ({ PROGRAM: 'build' }),
    countUnits,
  )
}
await besideUnits
if (only === undefined || only === 'e2e') {
  const browser = await ensureBrowser()
  const shell = process.env.CHROMIUM_SHELL ?? findShell()
  await suite(
    'e2e',
    '@playwright/test/cli.js',
    () => ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...rest],
    (report) => ({
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      PYTHON: python ?? '',
      ...(browser ? { CHROMIUM: browser } : {}),
      ...(shell ? { CHROMIUM_SHELL: shell } : {}),
    }),
    countBrowserTests,
  )
}
if (only === undefined || only === 'faults') {
  // alone, because it stops and floods its service
  await suite(
    'faults',
    'tsx/dist/cli.mjs',
    (report) => ['e2e/faults/main.ts', '--report', report, ...rest],
    () => ({}),
    (report) => report,
  )
}
rmSync(reports, { recursive: true, force: true })
console.log(`\n${sums.passed} passed, ${sums.failed} failed`)
process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1)

// npm test: everything that proves the product, from a fresh clone. `npm test -- unit`, `-- python`, `-- e2e`, `-- faults`
// or `-- budgets` runs a part.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bootstrap, EXTRAS, root } from './bootstrap.mjs'
import { ensureBrowser, findShell } from './browser.mjs'
import { findPython } from './python.mjs'
import { countBrowserTests, countUnits, printFailures, printSlowest } from './reports.mjs'
import { REPORT, worksWithDifference } from './worksWith.mjs'

await bootstrap(EXTRAS)
const [only, ...rest] = process.argv.slice(2)
const reports = mkdtempSync(join(tmpdir(), 'tollgate-reports-'))
const sums = { passed: 0, failed: 0 }
/** @type {import('./reports.mjs').Failure[]} */
const failures = []
/** Browser tests that passed when they were tried again. @type {import('./reports.mjs').Failure[]} */
const retried = []

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
  console.log(`\n${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

if (only === undefined || only === 'budgets') {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'scripts/budgets.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  sums[status === 0 ? 'passed' : 'failed'] += 1
  if (status !== 0) failures.push({ title: 'budgets', reason: 'a budget is exceeded: its line is at the top' })
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
    if (process.env.CI) {
      sums.failed += 1
      failures.push({ title: 'python', reason: 'there is no Python 3.9 or newer' })
    }
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

/** Keeps the report for the table of docs/works-with.md, and compares the two after a complete run. */
function countE2e(report) {
  mkdirSync(dirname(REPORT), { recursive: true })
  writeFileSync(REPORT, JSON.stringify(report))
  const counted = countBrowserTests(report)
  const reason = rest.length === 0 && counted.failed === 0 ? worksWithDifference(report) : ''
  if (reason === '') return counted
  return { ...counted, failed: 1, failures: [...counted.failures, { title: 'docs/works-with.md', reason }] }
}

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
    countE2e,
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
printFailures(failures, retried)
console.log(`\n${sums.passed} passed, ${sums.failed} failed`)
process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1)

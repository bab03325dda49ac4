// npm test: everything that proves the product, from a fresh clone. `npm test -- unit`, `-- python`, `-- e2e` or
// `-- budgets` runs a part.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap, EXTRAS, root } from './bootstrap.mjs'
import { ensureBrowser } from './browser.mjs'
import { findPython } from './python.mjs'

await bootstrap(EXTRAS)
const [only, ...rest] = process.argv.slice(2)
const reports = mkdtempSync(join(tmpdir(), 'tollgate-reports-'))
const sums = { passed: 0, failed: 0 }

/** Runs a suite and adds up what its report says; a suite that leaves no report has failed. */
function suite(name, tool, args, env, count) {
  const report = join(reports, `${name}.json`)
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args(report)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env(report) },
  })
  let counted = { passed: 0, failed: 1 }
  try {
    counted = count(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    console.error(`${name}: no report was written`)
  }
  if (status !== 0 && counted.failed === 0) counted.failed = 1
  sums.passed += counted.passed
  sums.failed += counted.failed
}

if (only === undefined || only === 'budgets') {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'scripts/budgets.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  sums[status === 0 ? 'passed' : 'failed'] += 1
}
if (only === undefined || only === 'unit') {
  suite(
    'unit',
    'vitest/vitest.mjs',
    (report) => ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...rest],
    () => ({}),
    (report) => ({
      passed: report.numPassedTests,
      failed:
        report.numFailedTests +
        report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
    }),
  )
}
const python = findPython()
if (only === undefined || only === 'python') {
  if (python) {
    suite(
      'python',
      'tsx/dist/cli.mjs',
      (report) => ['scripts/python.ts', python, report, ...rest],
      () => ({}),
      (report) => report,
    )
  } else {
    console.error('python: there is no Python 3.9 or newer, so its SDK was not tested')
    if (process.env.CI) sums.failed += 1
  }
}
if (only === undefined || only === 'e2e') {
  const browser = await ensureBrowser()
  suite(
    'e2e',
    '@playwright/test/cli.js',
    () => ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...rest],
    (report) => ({
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      PYTHON: python ?? '',
      ...(browser ? { CHROMIUM: browser } : {}),
    }),
    ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
  )
}
rmSync(reports, { recursive: true, force: true })
console.log(`\n${sums.passed} passed, ${sums.failed} failed`)
process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1)

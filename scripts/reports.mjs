// What the suites of npm test say of their tests: the JSON report of Playwright in the shape of the others, the tests that
// took longest, and, at the end of the output, the tests that failed, because a log is often kept in part.
import { stripVTControlCharacters } from 'node:util'

/** How many of a suite's tests and files are named as its slowest. */
const SLOWEST = 20
/** Of a failure's reason, at the end of the output; the whole one is where the suite printed it. */
const REASON_LINES = 12

/** @typedef {{ title: string, reason: string }} Failure */
/**
 * `retried`: the tests that passed when they were tried again.
 * @typedef {{ passed: number, failed: number, tests: { title: string, ms: number }[], failures: Failure[], retried?: Failure[] }} Counted
 */

/** The tests of Playwright's JSON report; a test that was tried again took the sum. @returns {Counted} */
export function countBrowserTests({ stats, suites, errors }) {
  const testsOf = ({ file, specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ projectName, status, results }) => ({
        title: `[${projectName}] ${file} › ${title}`,
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
        status,
        reason: results.flatMap(({ errors: found }) => found.map(({ message }) => message)).join('\n'),
      })),
    ),
    ...inner.flatMap(testsOf),
  ]
  const tests = suites.flatMap(testsOf)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    tests,
    failures: [
      ...tests.filter(({ status }) => status === 'unexpected'),
      ...errors.map(({ message }) => ({ title: 'e2e', reason: message })),
    ],
    retried: tests.filter(({ status }) => status === 'flaky'),
  }
}

/** Prints the tests that took longest, and the files, which are named before the first › of a title. */
export function printSlowest(name, tests) {
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

/** Prints the tests that failed, and those that passed when they were tried again, each with the first lines of its reason. */
export function printFailures(failed, retried) {
  for (const [heading, tests] of Object.entries({ failed, 'passed when tried again': retried })) {
    if (tests.length > 0) console.log(`\n${heading}:`)
    for (const { title, reason } of tests) {
      console.log(`  ${title}`)
      // without the test tools' own frames
      const lines = stripVTControlCharacters(reason)
        .split('\n')
        .filter((line) => /\S/.test(line) && !/node_modules|at new Promise/.test(line))
      for (const line of lines.slice(0, REASON_LINES)) console.log(`    ${line}`)
    }
  }
}

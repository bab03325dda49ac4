// The table of docs/works-with.md, from the JSON report of Playwright: what the tests with an annotation "works with" have shown.
//
//   node scripts/worksWith.mjs    writes it from the report that `npm test -- e2e` has left
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './bootstrap.mjs'

const PAGE = join(root, 'docs/works-with.md')
/** The report of the last run of the browser tests. Playwright deletes its folder when the next run begins. */
export const REPORT = join(root, 'test-results/e2e.json')
const TABLE = /(<!-- works with: [^>]*-->\n)[^]*?(<!-- end of works with -->)/

/** Those of the package come last, and begin with the one that has the link to its page. */
const rankOf = (title) => ['', 'the [package]', 'the package'].findLastIndex((start) => title.startsWith(start))

/** The rows of the tests that passed, one for each library with the versions that it was tested in. */
export function worksWithRows({ suites }) {
  const casesOf = ({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'expected' || status === 'flaky')
        .flatMap(({ annotations }) => annotations.filter(({ type }) => type === 'works with'))
        .map(({ description }) => {
          const [, name, version] = /^(.*) (\S+)$/.exec(description) ?? []
          return { name, version, title }
        }),
    ),
    ...inner.flatMap(casesOf),
  ]
  /** @type {Map<string, { name: string, title: string, versions: Set<string> }>} */
  const rows = new Map()
  for (const { name, version, title } of suites.flatMap(casesOf)) {
    const key = `${name}\n${title}`
    const row = rows.get(key) ?? { name, title, versions: new Set() }
    row.versions.add(version)
    rows.set(key, row)
  }
  /** @type {Map<string, string[]>} */
  const libraries = new Map()
  for (const { name, title, versions } of rows.values()) {
    const library = `| ${name} | ${[...versions].join(', ')} |`
    libraries.set(library, [...(libraries.get(library) ?? []), title])
  }
  return [...libraries]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([library, titles]) => {
      const text = titles.toSorted((a, b) => rankOf(a) - rankOf(b)).join('; ')
      return `${library} ${text.replace(/(the \[?package.*)/, (ofPackage) => ofPackage.replaceAll('; the package: ', '; '))} |`
    })
}

/** The page with these rows. */
export function withRows(page, rows) {
  if (!TABLE.test(page)) throw new Error('docs/works-with.md has no place for the table')
  const table = `\n| Library | Version | What is tested |\n|---|---|---|\n${rows.join('\n')}\n\n`
  return page.replace(TABLE, (_whole, begin, end) => begin + table + end)
}

/** What the page says and the run has not shown, and the other way around; empty if they agree. */
export function worksWithDifference(report) {
  const rows = worksWithRows(report)
  const page = readFileSync(PAGE, 'utf8')
  if (withRows(page, rows) === page) return ''
  const written = (TABLE.exec(page)?.[0] ?? '').split('\n')
  return [
    'docs/works-with.md has another table than this run of the browser tests. Write it with: node scripts/worksWith.mjs',
    ...written
      .filter((row) => /^\| (?!Library )/.test(row) && !rows.includes(row))
      .map((row) => `only in the page: ${row}`),
    ...rows.filter((row) => !written.includes(row)).map((row) => `only in the run: ${row}`),
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = worksWithRows(JSON.parse(readFileSync(REPORT, 'utf8')))
  if (rows.length === 0)
    throw new Error(
      'The last run of the browser tests was without assurance/frameworks. Run: npm run assurance -- e2e frameworks',
    )
  writeFileSync(PAGE, withRows(readFileSync(PAGE, 'utf8'), rows))
  console.log(`docs/works-with.md: ${rows.length} rows`)
}

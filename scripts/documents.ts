/**
 * Checks the documents: their links lead to files and sections, they quote the results of the benches, their samples are there for every
 * SDK, docs/install.md has every alert, and in the tables of docs/asvs.md every threat of SECURITY.md names tests that exist, or says "not yet", and every chapter of the
 * ASVS is assessed.
 *
 *   tsx scripts/documents.ts
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderGuide } from '../server/api/docs/guide.ts'
import { GROUPS } from '../server/api/docs/pages.ts'
import { missingFigures } from './figures.ts'

const CHAPTERS = Array.from({ length: 17 }, (_, i) => `V${i + 1}`)

/** Cells of the rows of the table in a section, without its head. */
function tableOf(markdown: string, section: string): string[][] {
  const [, body = ''] = markdown.split(`\n## ${section}\n`)
  const lines = (body.split('\n## ', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What is wrong with `file`: title; undefined if the file contains that test. */
function referenceFault(reference: string): string | undefined {
  const [, path, title] = /^`([^`]+)`: (.+)$/.exec(reference) ?? []
  if (path === undefined || title === undefined) return `"${reference}" is neither "not yet" nor \`file\`: title`
  if (!/\.(test|spec)\.ts$/.test(path)) return `${path} is not a test file`
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  if (text === undefined) return `${path} does not exist`
  // also after test.each(…), whose title can be on a line of its own; not if the test is skipped
  const call = new RegExp(`(\\.(?:skip|todo|fails))?\\(\\s*(['"\`])${escape(title)}\\2\\s*,`)
  const [found, skipped] = call.exec(text.replaceAll("\\'", "'")) ?? []
  if (found === undefined) return `${path} has no test "${title}"`
  return skipped ? `${path} does not run "${title}"` : undefined
}

/** What is wrong with the tables of SECURITY.md and docs/asvs.md, one sentence each. */
function threatFaults(security: string, assessment: string): string[] {
  const faults: string[] = []
  const threats = tableOf(security, 'Threats')
  if (threats.length === 0) faults.push('there is no table of threats')
  for (const [threat = '', defence = '', ...more] of threats)
    if (threat === '' || defence === '' || more.length > 0) faults.push(`the row "${threat}" does not have two cells`)
  const tested = tableOf(assessment, 'Tests of the defences')
  const names = new Set(threats.map(([threat]) => threat))
  const untested = [...names].filter((name) => !tested.some(([threat]) => threat === name))
  for (const threat of untested) faults.push(`docs/asvs.md has no tests of "${threat}"`)
  for (const [threat = '', tests = ''] of tested) {
    if (!names.has(threat)) faults.push(`SECURITY.md has no threat "${threat}"`)
    if (tests === 'not yet') continue
    for (const reference of tests.split('<br>')) {
      const fault = referenceFault(reference)
      if (fault !== undefined) faults.push(`${threat}: ${fault}`)
    }
  }
  const chapters = tableOf(assessment, 'OWASP ASVS 5, level 2')
  const named = chapters.map(([chapter = '']) => chapter.split(' ', 1)[0])
  if (named.join() !== CHAPTERS.join()) faults.push(`the chapters of the ASVS are ${named.join(', ')}`)
  for (const [chapter = '', met = '', why = ''] of chapters)
    if (!['yes', 'no', 'partly', 'does not apply'].includes(met) || why === '')
      faults.push(`${chapter} needs yes, no, partly or does not apply, and why`)
  return faults
}

/** The links and images in documents that lead to no file, folder or section of the project, as `document: address`. */
function brokenLinks(): string[] {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync('docs').map((name) => `docs/${name}`),
    'docs/decisions',
    'sdk/node/README.md',
    'sdk/python/README.md',
    'sdk/widget/README.md',
    'sdk/php/README.md',
  ].flatMap((path) => (path === 'docs/decisions' ? readdirSync(path).map((name) => `${path}/${name}`) : [path]))
  return documents
    .filter((document) => document.endsWith('.md'))
    .flatMap((document) => {
      const text = readFileSync(document, 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
      return [...text.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?[^)]*\)/g)]
        .filter(([, address = '']) => !/^(?:https?:|mailto:|\/)/.test(address))
        .map(([, address = '', section]) => ({
          address: section === undefined ? address : `${address}#${section}`,
          path: address === '' ? document : join(dirname(document), address),
          section,
        }))
        .filter(({ path, section }) => !existsSync(path) || (section !== undefined && !hasSection(path, section)))
        .map(({ address }) => `${document}: ${address}`)
    })
}

const hasSection = (path: string, section: string): boolean =>
  renderGuide(readFileSync(path, 'utf8')).html.includes(` id="${section}"`)

const TABS = ['Node.js', 'Python', 'PHP']
/** Pages with a section for each language, and pages of one. */
const BY_LANGUAGE = new Set(
  ['quick-start', 'backend', 'nextjs', 'django', 'wordpress'].map((name) => `docs/${name}.md`),
)
const USES_SDK = /@tollgate\/node|from tollgate|use Tollgate|\$?tollgate(?:\.|->)/
const SDK_LANGUAGES = new Set(['js', 'ts', 'python', 'php'])

/** The samples of the merchants' guides that are missing for an SDK. */
function incompleteSamples(): string[] {
  const files = GROUPS.filter(({ name }) => name === 'Start' || name === 'Build').flatMap(({ pages }) =>
    pages.flatMap(({ file }) => (file === undefined || BY_LANGUAGE.has(file) ? [] : [file])),
  )
  return files.flatMap((file) => {
    // adjacent blocks of code are a group of tabs
    const groups = [...readFileSync(file, 'utf8').matchAll(/(?:^```\S+.*\n[^]*?\n```\n\n?)+/gm)].map(([group]) =>
      [...group.matchAll(/^```(\S+) ?(.*)\n([^]*?)\n```$/gm)].map(([, language = '', tab = '', code = '']) => ({
        tab,
        isOfSdk: SDK_LANGUAGES.has(language) && USES_SDK.test(code),
      })),
    )
    return groups
      .filter((blocks) => blocks.some(({ isOfSdk }) => isOfSdk))
      .map((blocks) => blocks.map(({ tab }) => tab))
      .filter((tabs) => tabs.filter((tab) => tab !== 'curl').join() !== TABS.join())
      .map((tabs) => `${file}: a sample with the tabs "${tabs.join(', ')}"`)
  })
}

/** The alerts that the table of docs/install.md lacks, or that exist no longer. */
function alertFaults(): string[] {
  const names = (path: string, pattern: RegExp) =>
    [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name = '']) => name)
  const rules = names('deploy/prometheus/alerts.yml', /^ +- alert: (\w+)$/gm)
  const rows = names('docs/install.md', /^\| `(Tollgate\w+)` \|/gm)
  return [...rules.filter((name) => !rows.includes(name)), ...rows.filter((name) => !rules.includes(name))]
}

const faults = {
  'SECURITY.md and docs/asvs.md': threatFaults(
    readFileSync('SECURITY.md', 'utf8'),
    readFileSync('docs/asvs.md', 'utf8'),
  ),
  'these documents have other figures than the results of the benches, and have to say': missingFigures(),
  'these alerts are not both in deploy/prometheus/alerts.yml and in docs/install.md': alertFaults(),
  'these links lead nowhere': brokenLinks(),
  [`these samples need the tabs ${TABS.join(', ')}`]: incompleteSamples(),
}
for (const [what, found] of Object.entries(faults)) {
  if (found.length === 0) continue
  console.error(`${what}:\n${found.join('\n')}`)
  process.exitCode = 1
}

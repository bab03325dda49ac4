/**
 * Checks the tables of SECURITY.md: every threat names tests that exist, or says "not yet", and every chapter of the ASVS is
 * assessed.
 *
 *   tsx scripts/threats.ts
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
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
function referenceFault(reference: string, read: (path: string) => string | undefined): string | undefined {
  const [, path, title] = /^`([^`]+)`: (.+)$/.exec(reference) ?? []
  if (path === undefined || title === undefined) return `"${reference}" is neither "not yet" nor \`file\`: title`
  if (!/\.(test|spec)\.ts$/.test(path)) return `${path} is not a test file`
  const text = read(path)
  if (text === undefined) return `${path} does not exist`
  // also after test.each(…), whose title can be on a line of its own; not if the test is skipped
  const call = new RegExp(`(\\.(?:skip|todo|fails))?\\(\\s*(['"\`])${escape(title)}\\2\\s*,`)
  const [found, skipped] = call.exec(text.replaceAll("\\'", "'")) ?? []
  if (found === undefined) return `${path} has no test "${title}"`
  return skipped ? `${path} does not run "${title}"` : undefined
}

/** What is wrong with the tables, one sentence each. `read` returns undefined for a file that does not exist. */
function threatFaults(markdown: string, read: (path: string) => string | undefined): string[] {
  const faults: string[] = []
  const threats = tableOf(markdown, 'Threats')
  if (threats.length === 0) faults.push('there is no table of threats')
  for (const [threat = '', defence = '', tests = '', ...more] of threats) {
    if (threat === '' || defence === '' || more.length > 0) faults.push(`the row "${threat}" does not have three cells`)
    if (tests === 'not yet') continue
    for (const reference of tests.split('<br>')) {
      const fault = referenceFault(reference, read)
      if (fault !== undefined) faults.push(`${threat}: ${fault}`)
    }
  }
  const chapters = tableOf(markdown, 'OWASP ASVS 5, level 2')
  const named = chapters.map(([chapter = '']) => chapter.split(' ', 1)[0])
  if (named.join() !== CHAPTERS.join()) faults.push(`the chapters of the ASVS are ${named.join(', ')}`)
  for (const [chapter = '', met = '', why = ''] of chapters)
    if (!['yes', 'no', 'partly', 'does not apply'].includes(met) || why === '')
      faults.push(`${chapter} needs yes, no, partly or does not apply, and why`)
  return faults
}

/** Reads a file of the project. */
function readProjectFile(path: string): string | undefined {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const faults = threatFaults(readProjectFile('SECURITY.md') ?? '', readProjectFile)
if (faults.length > 0) {
  console.error(`SECURITY.md:\n${faults.join('\n')}`)
  process.exit(1)
}

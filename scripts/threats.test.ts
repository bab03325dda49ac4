import { expect, test } from 'vitest'
import { readProjectFile, threatFaults } from './threats.ts'

const FILES: Record<string, string> = {
  'server/a.test.ts': `
    test('holds', () => {})
    test.each([1, 2])(
      "holds %s's rest", () => {})
    test.skip('is skipped', () => {})
    // holds nothing
  `,
  'server/a.ts': `test('holds', () => {})`,
}
const chapters = Array.from({ length: 17 }, (_, i) => `| V${i + 1} Name | partly | because |`)

/** A document with one threat, and the given rows of chapters. */
const document = (tests: string, rows = chapters) => `# Security
## Threats
| Threat | Defence | Tests |
|---|---|---|
| Forgery | A seal | ${tests} |
## OWASP ASVS 5, level 2
| Chapter | Met | Why |
|---|---|---|
${rows.join('\n')}
`
const faults = (text: string) => threatFaults(text, (path) => FILES[path])

test('the tables of SECURITY.md name tests that exist', () => {
  expect(threatFaults(readProjectFile('SECURITY.md') ?? '', readProjectFile)).toEqual([])
})

test.each(['not yet', '`server/a.test.ts`: holds', "`server/a.test.ts`: holds<br>`server/a.test.ts`: holds %s's rest"])(
  'the check of SECURITY.md accepts %s',
  (tests) => expect(faults(document(tests))).toEqual([]),
)

test.each([
  ['', 'is neither'],
  ['soon', 'is neither'],
  ['`server/b.test.ts`: holds', 'server/b.test.ts does not exist'],
  ['`server/a.ts`: holds', 'is not a test file'],
  ['`server/a.test.ts`: holds nothing', 'has no test'],
  ['`server/a.test.ts`: hold', 'has no test'],
  ['`server/a.test.ts`: is skipped', 'does not run'],
  ['`server/a.test.ts`: holds<br>`server/a.test.ts`: is gone', 'has no test "is gone"'],
])('the check of SECURITY.md reports the reference "%s"', (tests, fault) => {
  expect(faults(document(tests))).toEqual([expect.stringContaining(fault)])
})

test('the check of SECURITY.md reports missing tables, chapters and assessments', () => {
  expect(faults('# Security')).toHaveLength(2)
  expect(faults(document('not yet', chapters.slice(1)))).toHaveLength(1)
  expect(faults(document('not yet', [...chapters.slice(0, 16), '| V17 Name | maybe | because |']))).toHaveLength(1)
  expect(faults(document('not yet', [...chapters.slice(0, 16), '| V17 Name | yes | |']))).toHaveLength(1)
})

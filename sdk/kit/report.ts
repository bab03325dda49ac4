import type { Result } from './check.ts'

/** What a report is about. */
export type About = {
  title: string
  /** By the number of a check; 0 is what has to hold before the others mean anything. */
  headings: Readonly<Record<number, string>>
  /** Where the checks are explained. */
  docs: string
}

/** The six acceptance checks of an integration, in the words of the specification. */
export const ACCEPTANCE = {
  0: 'The form works',
  1: 'Missing, forged or expired tokens, or only invoking the client callback, never execute the business action.',
  2: 'A token of another site, session, action or business record cannot replace the current intent.',
  3: 'Concurrent identical submissions, or a retry after a lost response, execute the business action once and consume verification quota once.',
  4: 'Changing form content, token or redemption parameters on the same business record is rejected.',
  5: 'Insufficient quota, service failure and rate limiting show a recoverable message and do not let the action proceed.',
  6: 'Logs contain no secret, token or session content.',
}

/** The report about a merchant of this name. */
export const aboutMerchant = (name: string): About => ({
  title: `Acceptance of ${name}`,
  headings: ACCEPTANCE,
  docs: 'docs/going-live.md#before-you-go-live',
})

const SIGNS = { ok: '  ok     ', failed: '  FAILED ', unclear: '  unclear', skipped: '  skipped' }

const COLUMNS = 100

/** The report for people: every check in one line, every failure with what was expected, what happened and how to fix it. */
export function writeReport({ title, headings, docs }: About, results: readonly Result[]): string {
  const lines: string[] = [title]
  for (const [number, heading] of Object.entries(headings)) {
    const own = results.filter(({ check }) => check === Number(number))
    if (own.length === 0) continue
    lines.push('', number === '0' ? heading : wrap(`${number}. ${heading}`, 3))
    for (const { outcome, name, happened } of own) {
      const remark = (outcome === 'ok' || outcome === 'skipped') && happened ? ` (${happened})` : ''
      lines.push(wrap(`${SIGNS[outcome]} ${name}${remark}`, 10))
    }
  }
  const of = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome)
  const describe = (sign: string, { check, name, expected, happened, fix }: Result): string[] => [
    '',
    wrap(`${sign} ${check === 0 ? '' : `${check}. `}${name}`, sign.length + 1),
    ...Object.entries({ expected, happened, fix }).flatMap(([what, text]) =>
      text === undefined ? [] : [wrap(`  ${what.padEnd(8)}  ${text}`, 12)],
    ),
  ]
  for (const result of of('failed')) lines.push(...describe('FAILED', result))
  for (const { expected: _expected, fix: _fix, ...result } of of('unclear')) lines.push(...describe('unclear', result))
  if (of('unclear').length > 0) lines.push('', wrap(UNCLEAR, 0))
  if (!results.some(({ check }) => check !== 0))
    lines.push('', 'The checks were not run: they mean nothing unless the form works.')
  if (of('failed').length > 0) lines.push('', `Each check is explained in ${docs}.`)
  lines.push('', sumUp(results))
  return lines.join('\n')
}

const UNCLEAR =
  'An unclear check says nothing about the subject: the machine, the service or the browser was too slow, or out of reach. Run it again, on a machine with less to do.'

/** `41 passed, 2 failed, 1 skipped. Checks failed: 3, 5.` */
export function sumUp(results: readonly Result[]): string {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  const named = failedChecks(results).filter((check) => check !== 0)
  const unclear = count('unclear') > 0 ? `${count('unclear')} unclear, ` : ''
  const failed = named.length > 0 ? ` Checks failed: ${named.join(', ')}.` : ''
  return `${count('ok')} passed, ${count('failed')} failed, ${unclear}${count('skipped')} skipped.${failed}`
}

export function failedChecks(results: readonly Result[]): number[] {
  return [...new Set(results.flatMap(({ outcome, check }) => (outcome === 'failed' ? [check] : [])))]
}

/** The exit code: 0 if every check passed, 1 if one failed, 2 if one is unclear. */
export function exitCodeOf(results: readonly Result[]): number {
  if (failedChecks(results).length > 0) return 1
  return results.some(({ outcome }) => outcome === 'unclear') ? 2 : 0
}

/** The text in lines of at most 100 columns, where words allow it; all but the first are indented. */
function wrap(text: string, indent: number): string {
  let column = 0
  return text.replaceAll(/(\s*)(\S+)/g, (_, space: string, word: string) => {
    const fits = column === 0 || column + space.length + word.length <= COLUMNS
    column = fits ? column + space.length + word.length : indent + word.length
    return fits ? space + word : `\n${' '.repeat(indent)}${word}`
  })
}

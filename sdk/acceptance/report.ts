import type { CheckNumber, Result } from './probe.ts'

/** The six acceptance checks of an integration, in the words of the specification. */
export const CHECKS: Record<CheckNumber, string> = {
  0: 'The form works',
  1: 'Missing, forged or expired tokens, or only invoking the client callback, never execute the business action.',
  2: 'A token of another site, session, action or business record cannot replace the current intent.',
  3: 'Concurrent identical submissions, or a retry after a lost response, execute the business action once and consume verification quota once.',
  4: 'Changing form content, token or redemption parameters on the same business record is rejected.',
  5: 'Insufficient quota, service failure and rate limiting show a recoverable message and do not let the action proceed.',
  6: 'Logs contain no secret, token or session content.',
}

const DOCS = 'docs/going-live.md#before-you-go-live'
const SIGNS = { ok: '  ok     ', failed: '  FAILED ', unclear: '  unclear', skipped: '  skipped' }

const COLUMNS = 100

/** The report for people: every probe in one line, every failure with what was expected, what happened and how to fix it. */
export function writeReport(name: string, results: readonly Result[]): string {
  const lines: string[] = [`Acceptance of ${name}`]
  for (const check of [0, 1, 2, 3, 4, 5, 6] as const) {
    const own = results.filter((result) => result.check === check)
    if (own.length === 0) continue
    lines.push('', check === 0 ? CHECKS[0] : wrap(`${check}. ${CHECKS[check]}`, 3))
    for (const { outcome, name: probe, happened } of own)
      lines.push(
        wrap(
          `${SIGNS[outcome]} ${probe}${(outcome === 'ok' || outcome === 'skipped') && happened ? ` (${happened})` : ''}`,
          10,
        ),
      )
  }
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  for (const { check, name: probe, expected, happened, fix } of failed)
    lines.push(
      '',
      wrap(`FAILED ${check === 0 ? '' : `${check}. `}${probe}`, 7),
      wrap(`  expected  ${expected}`, 12),
      wrap(`  happened  ${happened}`, 12),
      wrap(`  fix       ${fix}`, 12),
    )
  const unclear = results.filter(({ outcome }) => outcome === 'unclear')
  for (const { check, name: probe, happened } of unclear)
    lines.push('', wrap(`unclear ${check === 0 ? '' : `${check}. `}${probe}`, 8), wrap(`  happened  ${happened}`, 12))
  if (unclear.length > 0)
    lines.push(
      '',
      wrap(
        'An unclear probe says nothing about the merchant: the machine, the service or the browser was too slow, or out of reach. Run it again, on a machine with less to do.',
        0,
      ),
    )
  if (!results.some(({ check }) => check !== 0))
    lines.push('', 'The checks were not run: they mean nothing unless the form works.')
  if (failed.length > 0) lines.push('', `Each check is explained in ${DOCS}.`)
  lines.push('', sumUp(results))
  return lines.join('\n')
}

/** `41 passed, 2 failed, 1 skipped. Checks failed: 3, 5.` */
export function sumUp(results: readonly Result[]): string {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  const checks = failedChecks(results)
  const unclear = count('unclear') > 0 ? `${count('unclear')} unclear, ` : ''
  const named = checks.filter((check) => check !== 0)
  const failed = named.length > 0 ? ` Checks failed: ${named.join(', ')}.` : ''
  return `${count('ok')} passed, ${count('failed')} failed, ${unclear}${count('skipped')} skipped.${failed}`
}

export function failedChecks(results: readonly Result[]): CheckNumber[] {
  return [...new Set(results.flatMap(({ outcome, check }) => (outcome === 'failed' ? [check] : [])))]
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

import { COMMON, FIELDS } from './messages.ts'

/**
 * Which rule an argument breaks, and how: a sentence that does not repeat the value, which may be a visitor's. `own` is the
 * argument's name here, `wire` the field's.
 */
export function explainOffence(own: string, wire: string, value: unknown): string {
  const reason = reasonOf(wire, value)
  return `\`${own}\` ${FIELDS[wire]?.rule}${reason === undefined ? '' : `: ${reason}`}.`
}

/** An argument that the call does not have. */
export const explainUnknown = (own: string): string => `\`${own}\` ${COMMON.unknown}.`

/** Of a grant and a session exactly one has to be there. */
export const explainChoice = (own: string): string => `\`${own}\`: ${COMMON.one_of}.`

/** What the service holds against a field that is well formed: otherwise it would not have been sent. */
export const explainRefusal = (own: string, wire: string): string =>
  `\`${own}\` ${FIELDS[wire]?.service ?? COMMON.service}.`

function reasonOf(wire: string, value: unknown): string | undefined {
  const { hints = [], number = false, missing = COMMON.missing, empty = COMMON.empty } = FIELDS[wire] ?? {}
  if (value === undefined) return missing
  if (value === null) return COMMON.null
  if (value === '') return empty
  if (number) {
    if (typeof value !== 'number') return COMMON.not_number
    return Number.isInteger(value) ? undefined : COMMON.not_whole
  }
  if (typeof value !== 'string') return COMMON.not_text
  return hints.find(({ pattern }) => new RegExp(pattern).test(value))?.says
}

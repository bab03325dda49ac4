import { ERRORS, isErrorCode } from '../../contract/mistakes/errors.ts'
import { FIELDS, isField } from '../../contract/mistakes/fields.ts'
import type { Mistake } from '../../contract/mistakes/mistake.ts'

/** Why a request was probably refused, how to fix it, and where that is documented. */
export type Explanation = {
  /** The code on the wire, which is `bad-request` for an invalid field. */
  status: number
  error: string
  cause: string
  fix: string
  /** A path of the service's own documentation. */
  docs: string
}

/** The cause and fix of a refusal, for the merchant. `code` as stored: `bad-field` is a 422 `bad-request`. */
export function explainRefusal(code: string, field: string | null): Explanation {
  const error: Mistake & { status: number; likely?: string; fix?: string; details?: Partial<Record<string, Mistake>> } =
    ERRORS[isErrorCode(code) ? code : 'internal-error']
  const { status } = error
  if (code === 'bad-field') {
    const known = isField(field) ? field : '*'
    const { cause, remedy: fix } = FIELDS[known]
    return { status, error: 'bad-request', cause, fix, docs: `errors#${known === '*' ? 'fields' : known}` }
  }
  const own = { cause: error.likely ?? error.cause, remedy: error.fix ?? error.remedy }
  const { cause, remedy: fix } = error.details?.[field ?? ''] ?? own
  return { status, error: code, cause, fix, docs: `errors#${code}` }
}

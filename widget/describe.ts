import { PART, type Part, type Text } from './language.ts'
import type { Session } from './session.ts'

/** What the box shows for a session. */
export interface Description {
  readonly label: string
  /** What the visitor can do; absent if nothing. */
  readonly advice?: string | undefined
  /** What to quote to the support; absent without an error. */
  readonly reference?: string
  /** The end of the request's ID, which the service explains at /r/; absent if it did not answer. */
  readonly request?: string | undefined
  /** The button's label, as a part of the text; absent if there is no button. */
  readonly action?: Action | undefined
}

type Action = typeof PART.verify | typeof PART.retry | typeof PART.reload

const LABELS: Readonly<Record<string, Part>> = {
  network: PART.offline,
  'origin-not-allowed': PART.unlisted,
  'intent-expired': PART.failed,
  'rate-limited': PART.limited,
  unavailable: PART.busy,
  'internal-error': PART.busy,
  'challenge-expired': PART.failed,
  'solution-invalid': PART.failed,
  unsupported: PART.unsupported,
}
/** Errors that a retry cannot fix. */
const FINAL = /^(missing-option|origin-not-allowed|unsupported)$/
/** The last characters of a request ID: enough to find it in a log, short enough to read out. */
const REFERENCE_LENGTH = 8

/**
 * `typed`: the visitor has typed something that a reload would discard. `again`: the form opens a window, which the browser
 * allows only after another press.
 */
export function describeSession(session: Session, text: Text, typed: boolean, again?: boolean): Description {
  switch (session.state) {
    case 'idle':
      return { label: text[PART.verify], action: PART.verify }
    case 'loading':
    case 'solving':
      return { label: session.waiting ? text[PART.waiting] : text[PART.working] }
    case 'solved':
      return { label: text[PART.solved], advice: again ? text[PART.solvedAdvice] : undefined }
    case 'expired':
      return {
        label: text[PART.expired],
        advice: text[typed ? PART.copyAdvice : PART.expiredAdvice],
        action: typed ? undefined : PART.reload,
      }
    case 'error': {
      const request = session.requestId?.slice(-REFERENCE_LENGTH)
      const label = LABELS[session.code] ?? PART.misconfigured
      return {
        label: text[label],
        advice: text[(label + 1) as Part],
        reference: `${text[PART.reference]} ${request ?? session.code}`,
        request,
        action: FINAL.test(session.code) ? undefined : PART.retry,
      }
    }
  }
}

import { PART, type Part, type Text } from './language.ts'
import type { Session } from './session.ts'
import type { ErrorCode } from './types.ts'

/** A session in the visitor's words. */
export interface Description {
  readonly label: string
  /** What to do about it; absent if nothing. */
  readonly advice?: string
  /** What to quote when asking for help; absent if all is well. */
  readonly reference?: string
  /** The button, by the part of the text that is on it, if there is something to press. */
  readonly action?: Action | undefined
}

type Action = typeof PART.verify | typeof PART.retry | typeof PART.reload

const TROUBLES: Readonly<Record<string, Part>> = {
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
/** Pressing a button changes nothing about these. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['missing-option', 'origin-not-allowed', 'unsupported'])
/** Of a request id: enough to find it in a log, short enough to be read out. */
const REFERENCE_LENGTH = 8

/** `typed`: something on the page would be lost if it were loaded again. */
export function describe(session: Session, text: Text, typed: boolean): Description {
  switch (session.state) {
    case 'idle':
      return { label: text[PART.verify], action: PART.verify }
    case 'loading':
    case 'solving':
      return { label: session.waiting ? text[PART.waiting] : text[PART.working] }
    case 'solved':
      return { label: text[PART.solved] }
    case 'expired':
      return {
        label: text[PART.expired],
        advice: text[typed ? PART.copyAdvice : PART.expiredAdvice],
        action: typed ? undefined : PART.reload,
      }
    case 'error': {
      const trouble = TROUBLES[session.code] ?? PART.misconfigured
      return {
        label: text[trouble],
        advice: text[(trouble + 1) as Part],
        reference: `${text[PART.reference]} ${session.requestId?.slice(-REFERENCE_LENGTH) ?? session.code}`,
        action: FINAL.has(session.code) ? undefined : PART.retry,
      }
    }
  }
}

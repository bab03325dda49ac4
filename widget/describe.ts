import type { Text } from './language.ts'
import type { Session } from './session.ts'
import type { ErrorCode } from './types.ts'

/** A session in the visitor's words. */
export interface Description {
  readonly label: string
  /** What to do about it; empty if nothing. */
  readonly advice: string
  /** What to quote when asking for help; empty if all is well. */
  readonly reference: string
  /** The button, if there is something to press. */
  readonly action: { readonly kind: Action; readonly label: string } | undefined
}

export type Action = 'verify' | 'retry' | 'reload'

type Trouble = 'offline' | 'limited' | 'busy' | 'failed' | 'unsupported' | 'misconfigured'

const TROUBLES: Readonly<Record<string, Trouble>> = {
  network: 'offline',
  'rate-limited': 'limited',
  unavailable: 'busy',
  'internal-error': 'busy',
  'challenge-expired': 'failed',
  'solution-invalid': 'failed',
  unsupported: 'unsupported',
}
/** Pressing a button changes nothing about these. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['missing-option', 'unsupported'])
/** Of a request id: enough to find it in a log, short enough to be read out. */
const REFERENCE_LENGTH = 8

export function describe(session: Session, text: Text): Description {
  const act = (kind: Action): Description['action'] => ({ kind, label: text[kind] })
  const plain = { advice: '', reference: '', action: undefined }
  switch (session.name) {
    case 'idle':
      return { ...plain, label: text.verify, action: act('verify') }
    case 'loading':
    case 'solving':
      return { ...plain, label: session.waiting ? text.waiting : text.working }
    case 'solved':
      return { ...plain, label: text.solved }
    case 'expired':
      return { ...plain, label: text.expired, advice: text.expiredAdvice, action: act('reload') }
    case 'error': {
      const trouble = TROUBLES[session.code] ?? 'misconfigured'
      return {
        label: text[trouble],
        advice: text[`${trouble}Advice`],
        reference: `${text.reference} ${session.requestId?.slice(-REFERENCE_LENGTH) ?? session.code}`,
        action: FINAL.has(session.code) ? undefined : act('retry'),
      }
    }
  }
}

import { fail } from './errors.ts'
import { explainOffence } from './explain.ts'
import {
  carriesSecret,
  decisionId,
  type Grammar,
  hmac,
  hostname,
  key,
  moment,
  name,
  OFFENCE,
  optional,
  outcome,
  response,
  ttl,
  uses,
  uuid,
} from './grammars.ts'
import { membersOf } from './json.ts'
import { COMMON } from './messages.ts'

/** Part of messages, because there is no request id to search for. */
const NOT_SENT = 'not sent'

type Given = Readonly<Record<string, unknown>>

/** The arguments of a call by their names in the SDK, in the order in which errors are reported. */
export type Shape<Fields> = Readonly<
  Record<
    string,
    {
      wire: keyof Fields & string
      grammar: Grammar
      /** A rule that depends on the other arguments. */
      fits?: (value: unknown, given: Given) => boolean
      /** Whether that rule is that exactly one of two arguments is given. */
      isChoice?: true
    }
  >
>

type Binding = { action: string; hostname: string }

export const INTENT: Shape<Binding & { nonce: string; session?: string; subject?: string; trusted_grant_id?: string }> =
  {
    action: { wire: 'action', grammar: name },
    nonce: { wire: 'nonce', grammar: key },
    hostname: { wire: 'hostname', grammar: hostname },
    session: { wire: 'session', grammar: optional(hmac) },
    subject: { wire: 'subject', grammar: optional(hmac) },
    trustedGrantId: { wire: 'trusted_grant_id', grammar: optional(uuid) },
  }

export const REDEMPTION: Shape<Binding & { response: string; intent_id: string; idempotency_key: string }> = {
  response: { wire: 'response', grammar: response },
  intentId: { wire: 'intent_id', grammar: uuid },
  action: { wire: 'action', grammar: name },
  hostname: { wire: 'hostname', grammar: hostname },
  idempotencyKey: { wire: 'idempotency_key', grammar: key },
}

type Feedback = {
  decision_id: string
  event_id: string
  outcome: string
  business_type: string
  occurred_at: number
  supersedes_event_id?: string
}

export const FEEDBACK: Shape<Feedback> = {
  decisionId: { wire: 'decision_id', grammar: decisionId },
  eventId: { wire: 'event_id', grammar: uuid },
  outcome: { wire: 'outcome', grammar: outcome },
  businessType: { wire: 'business_type', grammar: name },
  occurredAt: { wire: 'occurred_at', grammar: moment },
  supersedesEventId: { wire: 'supersedes_event_id', grammar: optional(uuid) },
}

export const GRANT: Shape<{ decision_id: string; session?: string; ttl?: number; uses?: number }> = {
  decisionId: { wire: 'decision_id', grammar: decisionId },
  session: { wire: 'session', grammar: optional(hmac) },
  ttl: { wire: 'ttl', grammar: optional(ttl) },
  uses: { wire: 'uses', grammar: optional(uses) },
}

export const REVOCATION: Shape<{ grant_id?: string; session?: string }> = {
  grantId: {
    wire: 'grant_id',
    grammar: optional(uuid),
    fits: (value, { session }) => value !== undefined || session !== undefined,
    isChoice: true,
  },
  session: {
    wire: 'session',
    grammar: optional(hmac),
    fits: (value, { grantId }) => value === undefined || grantId === undefined,
    isChoice: true,
  },
}

/**
 * Converts the arguments for the wire. Throws the error that the service would answer with, but without a status because
 * nothing is sent: `secret-in-body`, or `bad-request` with the first offending field; an unknown argument is an error
 * too, because a mistyped `session` must not be an intent without one.
 */
export function readArguments<Fields>(shape: Shape<Fields>, argument: unknown): Fields {
  const given = membersOf(argument)
  if (Object.values(given).some(carriesSecret)) throw fail('secret-in-body', {}, NOT_SENT)
  const fields: Record<string, unknown> = {}
  for (const [own, { wire, grammar, fits, isChoice }] of Object.entries(shape)) {
    const value = given[own]
    const written = grammar(value)
    if (written === OFFENCE) throw offenceOf(wire, explainOffence(own, wire, value))
    if (fits?.(value, given) === false)
      throw offenceOf(wire, isChoice ? `\`${own}\`: ${COMMON.one_of}` : explainOffence(own, wire, value))
    fields[wire] = written
  }
  const unknown = Object.keys(given)
    .find((own) => !Object.hasOwn(shape, own))
    ?.slice(0, 64)
  if (unknown !== undefined) throw offenceOf(unknown, `\`${unknown}\` ${COMMON.unknown}`)
  return fields as Fields
}

const offenceOf = (field: string, message: string) => fail('bad-request', { field }, NOT_SENT, message)

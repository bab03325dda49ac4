import { fail } from './catalogue.ts'
import { explainChoice, explainOffence, explainUnknown } from './explain.ts'
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

/** In a message: there is no request to look for in the console. */
const NOT_SENT = 'not sent'

type Given = Readonly<Record<string, unknown>>

/** The arguments of a call by their names here, in the order in which offences are told. */
export type Shape<Fields> = Readonly<
  Record<
    string,
    {
      wire: keyof Fields & string
      grammar: Grammar
      /** What the other arguments ask of it besides. */
      fits?: (value: unknown, given: Given) => boolean
      /** What is said where it does not fit; absent: the rule of the field. */
      explain?: (own: string) => string
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
    explain: explainChoice,
  },
  session: {
    wire: 'session',
    grammar: optional(hmac),
    fits: (value, { grantId }) => value === undefined || grantId === undefined,
    explain: explainChoice,
  },
}

/**
 * The arguments as they go onto the wire. Throws the error that the service would answer with, but without a status, since
 * nothing is sent: SecretInBodyError, or BadRequestError with the first offending field; an argument that the call does not have is an offence too, because a
 * mistyped `session` must not be an intent without one.
 */
export function readArguments<Fields>(shape: Shape<Fields>, argument: unknown): Fields {
  const given = membersOf(argument)
  if (Object.values(given).some(carriesSecret)) throw fail('secret-in-body', {}, NOT_SENT)
  const fields: Record<string, unknown> = {}
  for (const [own, { wire, grammar, fits, explain }] of Object.entries(shape)) {
    const value = given[own]
    const written = grammar(value)
    if (written === OFFENCE) throw offenceOf(wire, explainOffence(own, wire, value))
    if (fits?.(value, given) === false) throw offenceOf(wire, explain?.(own) ?? explainOffence(own, wire, value))
    fields[wire] = written
  }
  const unknown = Object.keys(given).find((own) => !Object.hasOwn(shape, own))
  if (unknown !== undefined) throw offenceOf(unknown.slice(0, 64), explainUnknown(unknown.slice(0, 64)))
  return fields as Fields
}

const offenceOf = (field: string, message: string) => fail('bad-request', { field }, NOT_SENT, message)

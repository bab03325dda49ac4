import { randomUUID } from 'node:crypto'
import { createIdempotencyKey, createNonce, isResponseToken, type Tollgate, TollgateError } from '@tollgate/node'
import type { Exemptions } from './exemptions.ts'
import { type Action, type Fault, type Payload, readFields, readOne, saysTheSame, UUID } from './fields.ts'
import type { Log } from './log.ts'
import { asRefusal, logRefusal } from './refusals.ts'
import type { Attempt, Frozen, Store } from './store.ts'

/** What the flow works with. */
export type Counter = {
  readonly store: Store
  readonly exemptions: Exemptions
  readonly tollgate: Tollgate
  readonly hostname: string
  readonly log: Log
}

/** A form that may be shown: its record here and its intent at Tollgate. */
export type OpenForm = { readonly attempt: string; readonly intentId: string }

export type Opening =
  | { readonly kind: 'open'; readonly form: OpenForm }
  | { readonly kind: 'refused'; readonly refusal: TollgateError }

export type Submission =
  /** The business is done, by this request or by another one of the same form. */
  | { readonly kind: 'completed'; readonly attempt: string }
  /** Something has to be corrected. Nothing was frozen and nobody was asked. */
  | { readonly kind: 'faulty'; readonly typed: Payload; readonly faults: readonly Fault[] }
  /** Tollgate did not let it through. Submitting the same attempt again repeats exactly this request. */
  | { readonly kind: 'refused'; readonly attempt: string; readonly frozen: Frozen; readonly refusal: TollgateError }
  /** The attempt was submitted before, with other content or another token. This submission is refused. */
  | { readonly kind: 'changed'; readonly attempt: string; readonly frozen: Frozen; readonly isDone: boolean }
  /** No such attempt for this session and action. */
  | { readonly kind: 'foreign' }

/**
 * The first half of a verification: the attempt is stored, then an intent is opened, then the intent is stored with the attempt.
 * The attempt is stored first, so that a crash in between never leaves an orphaned intent.
 *
 * A session that holds an exemption uses it. If Tollgate does not take it, the visitor passes all the same: by the
 * check, with an attempt of its own, because a nonce stands for one request only.
 */
export async function openForm(counter: Counter, action: Action, session: string): Promise<Opening> {
  const { exemptions } = counter
  const grantId = await exemptions.pick(session)
  const opening = await openAttempt(counter, action, session, grantId)
  if (grantId === undefined) return opening
  if (opening.kind === 'open') {
    await exemptions.countUse(grantId)
    return opening
  }
  if (!['grant-invalid', 'grants-disabled'].includes(opening.refusal.code)) return opening
  await exemptions.forget(grantId)
  return openAttempt(counter, action, session, undefined)
}

async function openAttempt(
  counter: Counter,
  action: Action,
  session: string,
  grantId: string | undefined,
): Promise<Opening> {
  const { store, tollgate, hostname } = counter
  const nonce = createNonce()
  const attempt = {
    id: randomUUID(),
    action,
    session,
    nonce,
    idempotencyKey: createIdempotencyKey(),
    hostname,
    grantId,
  }
  await store.createAttempt(attempt)
  const request = { action, nonce, hostname, session, trustedGrantId: grantId }
  const intent = await tollgate.createIntent(request).catch(asRefusal)
  if (intent instanceof TollgateError) {
    await noteRefusal(counter, attempt, intent)
    return { kind: 'refused', refusal: intent }
  }
  await store.attachIntent(attempt.id, intent.intentId)
  return { kind: 'open', form: { attempt: attempt.id, intentId: intent.intentId } }
}

/** Opens another intent for an attempt whose own has expired. Undefined if it is not this session's, or was submitted. */
export async function renewIntent(
  counter: Counter,
  session: string,
  intentId: string,
): Promise<{ intentId: string } | TollgateError | undefined> {
  const { store, tollgate, hostname } = counter
  const nonce = createNonce()
  const attempt = await store.prepareRenewal(session, intentId, nonce, createIdempotencyKey())
  if (attempt === undefined) return undefined
  const intent = await tollgate.createIntent({ action: attempt.action, nonce, hostname, session }).catch(asRefusal)
  if (intent instanceof TollgateError) {
    logRefusal(counter.log, intent, { attempt: attempt.id, action: attempt.action })
    return intent
  }
  return (await store.replaceIntent(attempt.id, intentId, intent.intentId)) ? intent : undefined
}

/**
 * Second half: the first complete submission is frozen. An identical one (double click, reload, "Try again") runs the
 * frozen one again, with the same key, until it has gone through once. Any other submission of the attempt is refused.
 */
export async function submitForm(
  counter: Counter,
  action: Action,
  session: string | undefined,
  form: URLSearchParams,
): Promise<Submission> {
  const id = readOne(form, 'attempt')
  if (session === undefined || !UUID.test(id)) return { kind: 'foreign' }
  const ref = { id, action, session }
  const attempt = await counter.store.findAttempt(ref)
  if (attempt === undefined) return { kind: 'foreign' }

  const { payload, faults } = readFields(action, form)
  // The field of the form is the only place a token is taken from. One that cannot be a token counts as none.
  const token = readOne(form, 'svc-captcha-response')
  const said = { payload, token }
  if (attempt.frozen !== undefined) return settle(counter, attempt, said, attempt.frozen)
  const unchecked = isResponseToken(token) ? [] : [{ field: 'check', message: 'Please complete the check' }]
  if (faults.length + unchecked.length > 0) {
    return { kind: 'faulty', typed: payload, faults: [...faults, ...unchecked] }
  }
  const frozen = await counter.store.freezeAttempt(ref, payload, token)
  // Read again: from here on its intent stays, but until here it could be renewed.
  const submitted = frozen && (await counter.store.findAttempt(ref))
  return submitted?.frozen === undefined ? { kind: 'foreign' } : settle(counter, submitted, said, submitted.frozen)
}

/**
 * Redeems what is frozen and, only if that succeeds, does the business in one transaction. `said` is what was submitted
 * this time: of two different submissions at once, the one that was not frozen is refused here.
 */
async function settle(counter: Counter, attempt: Attempt, said: Frozen, frozen: Frozen): Promise<Submission> {
  const { id, action, hostname, intentId, idempotencyKey } = attempt
  const { payload, token } = frozen
  if (said.token !== token || !saysTheSame(action, said.payload, payload)) {
    return { kind: 'changed', attempt: id, frozen, isDone: attempt.state === 'completed' }
  }
  if (attempt.state === 'completed') return { kind: 'completed', attempt: id }

  const request = { response: token, intentId, action, hostname, idempotencyKey }
  const decision = await counter.tollgate.verify(request).catch(asRefusal)
  if (decision instanceof TollgateError) {
    await noteRefusal(counter, attempt, decision)
    return { kind: 'refused', attempt: id, frozen, refusal: decision }
  }
  switch (action) {
    case 'checkout':
      await counter.store.placeOrder(id, payload, decision.decisionId)
      break
    case 'signup':
      await counter.store.addSubscriber(id, payload, decision.decisionId)
      break
  }
  return { kind: 'completed', attempt: id }
}

async function noteRefusal(
  counter: Counter,
  attempt: { id: string; action: Action },
  refusal: TollgateError,
): Promise<void> {
  logRefusal(counter.log, refusal, { attempt: attempt.id, action: attempt.action })
  await counter.store.noteRefusal(attempt.id, refusal.code)
}

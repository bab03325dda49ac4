// A form from its opening to its order: an attempt is stored, gets its intent, is submitted, verified, and done once.
import { randomUUID } from 'node:crypto'
import { createIdempotencyKey, createNonce, isResponseToken, RefusedError, TollgateError } from '@tollgate/node'
import { endExemption, pickExemption } from './aftercare.ts'
import type { Shop } from './context.ts'
import { type Action, type Faults, isSameContent, type Payload, readFields, readOne, UUID } from './fields.ts'
import { logRefusal } from './refusals.ts'

/** A form that may be shown. */
export type OpenForm = { readonly attempt: string; readonly intentId: string }

/** What the first submission of an attempt contained. It never changes. */
export type Submitted = { readonly attempt: string; readonly payload: Payload; readonly token: string }

export type Submission =
  /** The order is placed, by this submission or by an identical one before it. */
  | { readonly kind: 'completed'; readonly attempt: string }
  /** The fields are not valid or the check is not completed. Nothing is frozen. */
  | { readonly kind: 'faulty'; readonly payload: Payload; readonly faults: Faults }
  /** The attempt was submitted before with other content or another token. This submission is refused. */
  | { readonly kind: 'changed'; readonly submitted: Submitted; readonly isDone: boolean }
  /** Tollgate refused, or did not answer. Nothing was ordered. The same submission again repeats the same request. */
  | { readonly kind: 'refused'; readonly submitted: Submitted; readonly error: TollgateError }

type AttemptRow = {
  id: string
  intent_id: string
  hostname: string
  idempotency_key: string
  payload: Payload | null
  token: string | null
  is_done: boolean
}

/**
 * Opens a form, with the session's exemption if it has one. If Tollgate does not accept the exemption, a second intent is
 * opened without it: with a nonce of its own, because a nonce stands for one request.
 * @throws TollgateError if no intent was opened
 */
export async function openForm(shop: Shop, action: Action, session: string): Promise<OpenForm> {
  const grantId = await pickExemption(shop, session)
  if (grantId === undefined) return openAttempt(shop, action, session)
  try {
    const form = await openAttempt(shop, action, session, grantId)
    await endExemption(shop, grantId)
    return form
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    await endExemption(shop, grantId)
    return openAttempt(shop, action, session)
  }
}

async function openAttempt(shop: Shop, action: Action, session: string, grantId?: string): Promise<OpenForm> {
  const { sql, tollgate, hostname } = shop
  const [attempt, nonce] = [randomUUID(), createNonce()]
  await sql.query(
    `insert into attempts (id, action, session, hostname, nonce, idempotency_key, grant_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [attempt, action, session, hostname, nonce, createIdempotencyKey(), grantId],
  )
  try {
    const { intentId } = await tollgate.createIntent({ action, nonce, hostname, session, trustedGrantId: grantId })
    const attach = 'update attempts set intent_id = $2 where id = $1 and intent_id is null'
    if ((await sql.query(attach, [attempt, intentId])).rowCount !== 1) throw new Error('the attempt has an intent')
    return { attempt, intentId }
  } catch (error) {
    if (error instanceof TollgateError) await noteRefusal(shop, attempt, action, error)
    throw error
  }
}

/**
 * Opens another intent for a form whose intent has expired, as the component requests it (`data-renew`). Undefined if
 * the form is not of this session, or was submitted.
 * @throws TollgateError if no intent was opened
 */
export async function renewIntent(shop: Shop, session: string, expired: string): Promise<string | undefined> {
  const { sql, tollgate, hostname } = shop
  const nonce = createNonce()
  const { rows } = await sql.query<{ id: string; action: Action }>(
    `update attempts set nonce = $3, idempotency_key = $4
     where session = $1 and $2::uuid in (intent_id, renewed_intent_id) and token is null returning id, action`,
    [session, expired, nonce, createIdempotencyKey()],
  )
  const [attempt] = rows
  if (!attempt) return undefined
  const { intentId } = await tollgate.createIntent({ action: attempt.action, nonce, hostname, session })
  const { rowCount } = await sql.query(
    `update attempts set intent_id = $3, renewed_intent_id = $2, grant_id = null where id = $1 and token is null`,
    [attempt.id, expired, intentId],
  )
  return rowCount === 1 ? intentId : undefined
}

/** Takes a submission: the first one of an attempt, or a later one. Undefined if the session has no such form. */
export async function submitForm(
  shop: Shop,
  action: Action,
  session: string,
  form: URLSearchParams,
): Promise<Submission | undefined> {
  const id = readOne(form, 'attempt')
  if (!UUID.test(id)) return undefined
  let attempt = await findAttempt(shop, id, action, session)
  if (!attempt) return undefined
  const { payload, faults } = readFields(action, form)
  // the token comes from this field only, and a value that cannot be a token counts as none
  const token = readOne(form, 'svc-captcha-response')
  if (attempt.token === null) {
    if (!isResponseToken(token))
      return { kind: 'faulty', payload, faults: { ...faults, check: 'Please complete the check' } }
    if (Object.keys(faults).length > 0) return { kind: 'faulty', payload, faults }
    // of two submissions at once, the second one waits here and changes nothing
    await shop.sql.query('update attempts set payload = $2, token = $3 where id = $1 and token is null', [
      id,
      JSON.stringify(payload),
      token,
    ])
    // read again, because until now its intent could be renewed
    attempt = await findAttempt(shop, id, action, session)
  }
  if (!attempt?.payload || attempt.token === null) return undefined
  const submitted = { attempt: id, payload: attempt.payload, token: attempt.token }
  if (token !== submitted.token || !isSameContent(action, payload, submitted.payload))
    return { kind: 'changed', submitted, isDone: attempt.is_done }
  if (attempt.is_done) return { kind: 'completed', attempt: id }
  try {
    // every value comes from the record, so a repetition is the same request and gets the same decision
    const { decisionId } = await shop.tollgate.verify({
      response: submitted.token,
      intentId: attempt.intent_id,
      action,
      hostname: attempt.hostname,
      idempotencyKey: attempt.idempotency_key,
    })
    await placeOrder(shop, action, submitted, decisionId)
    return { kind: 'completed', attempt: id }
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    await noteRefusal(shop, id, action, error)
    return { kind: 'refused', submitted, error }
  }
}

/** The attempt, if it belongs to this session and action and has an intent. */
async function findAttempt({ sql }: Shop, id: string, action: Action, session: string) {
  const { rows } = await sql.query<AttemptRow>(
    `select *, exists (select from orders where attempt_id = attempts.id) as is_done from attempts
     where id = $1 and action = $2 and session = $3 and intent_id is not null`,
    [id, action, session],
  )
  return rows[0]
}

/** The business. The unique constraints let it happen once; payment and e-mail would start from its row. */
async function placeOrder({ sql }: Shop, action: Action, { attempt, payload }: Submitted, decisionId: string) {
  await sql.query(
    'insert into orders (attempt_id, decision_id, action, payload) values ($1, $2, $3, $4) on conflict do nothing',
    [attempt, decisionId, action, JSON.stringify(payload)],
  )
  const where = [attempt, decisionId]
  const { rowCount } = await sql.query('select from orders where attempt_id = $1 and decision_id = $2', where)
  if (rowCount !== 1) throw new Error('the decision belongs to another order')
}

async function noteRefusal(shop: Shop, attempt: string, action: Action, error: TollgateError): Promise<void> {
  logRefusal(shop.log, error, { attempt, action })
  await shop.sql.query('update attempts set refusal = $2 where id = $1', [attempt, error.code])
}

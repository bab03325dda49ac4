// The life cycle of a form: an attempt is stored, gets its intent, is submitted, verified, and becomes an order once.
import { randomUUID } from 'node:crypto'
import { createIdempotencyKey, createNonce, isResponseToken, TollgateError } from '@tollgate/node'
import { ACTION, db, HOSTNAME, tollgate } from './config.ts'

/** An order as you validated it. Two submissions are the same if their validated orders are, whatever bytes were sent. */
export type Order = { email: string; quantity: number }

/** A form that may be shown. */
export type OpenForm = { attemptId: string; intentId: string }

/** The first submission of an attempt, which never changes. */
export type Submitted = { attemptId: string; order: Order; token: string }

export type Outcome =
  /** The order is placed, by this submission or by an identical one before it. */
  | { kind: 'done'; submitted: Submitted }
  /** The order is not valid or the check is not finished. Nothing is frozen. */
  | { kind: 'incomplete' }
  /** The attempt was submitted before, with another order or token. This submission is refused. */
  | { kind: 'changed'; submitted: Submitted; isDone: boolean }
  /** Tollgate refused, or gave no answer. Nothing was ordered. */
  | { kind: 'refused'; submitted: Submitted; error: TollgateError }
  /** There is no such form for this session. */
  | { kind: 'foreign' }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Opens a form for a session. The attempt is stored before the intent is requested.
 * @throws TollgateError if the form cannot be shown
 */
export async function openForm(session: string): Promise<OpenForm> {
  const attempt = { id: randomUUID(), nonce: createNonce() }
  await db.query(
    `insert into attempts (id, session, action, hostname, nonce, idempotency_key)
     values ($1, $2, $3, $4, $5, $6)`,
    [attempt.id, session, ACTION, HOSTNAME, attempt.nonce, createIdempotencyKey()],
  )
  const { intentId } = await tollgate.createIntent({
    action: ACTION,
    nonce: attempt.nonce,
    hostname: HOSTNAME,
    session,
  })
  const { rowCount } = await db.query('update attempts set intent_id = $2 where id = $1 and intent_id is null', [
    attempt.id,
    intentId,
  ])
  if (rowCount !== 1) throw new Error('the attempt already has an intent')
  return { attemptId: attempt.id, intentId }
}

/** Opens another intent for a form whose intent expired. Undefined if the form was sent, or is not of this session. */
export async function renewIntent(session: string, expired: unknown): Promise<string | undefined> {
  if (typeof expired !== 'string' || !UUID.test(expired)) return undefined
  const nonce = createNonce()
  // if an answer was lost, the component asks again with the former intent
  const { rows } = await db.query<{ id: string }>(
    `update attempts set nonce = $3, idempotency_key = $4
     where session = $1 and $2 in (intent_id, renewed_intent_id) and token is null returning id`,
    [session, expired, nonce, createIdempotencyKey()],
  )
  const [attempt] = rows
  if (!attempt) return undefined
  const { intentId } = await tollgate.createIntent({ action: ACTION, nonce, hostname: HOSTNAME, session })
  const { rowCount } = await db.query(
    'update attempts set intent_id = $2, renewed_intent_id = $3 where id = $1 and token is null',
    [attempt.id, intentId, expired],
  )
  return rowCount === 1 ? intentId : undefined
}

/** Takes a submission: the first one of an attempt, or any later one. `order` is undefined if it is not valid. */
export async function submitForm(
  session: string,
  { attemptId, order, token }: { attemptId: unknown; order: Order | undefined; token: unknown },
): Promise<Outcome> {
  if (typeof attemptId !== 'string' || !UUID.test(attemptId)) return { kind: 'foreign' }
  const said = [attemptId, session, order ? JSON.stringify(order) : null, isResponseToken(token) ? token : null]

  // Only the first complete submission is frozen. Of two at once, the second waits here and then finds no row.
  if (!said.includes(null)) {
    await db.query(
      `update attempts set payload = $3, token = $4
       where id = $1 and session = $2 and intent_id is not null and payload is null`,
      said,
    )
  }
  const { rows } = await db.query<AttemptRow>(
    `select id, action, hostname, idempotency_key, intent_id, payload, token,
            payload = $3::jsonb and token = $4 as is_same,
            exists (select from orders where attempt_id = attempts.id) as is_done
     from attempts where id = $1 and session = $2 and intent_id is not null`,
    said,
  )
  const [attempt] = rows
  if (!attempt) return { kind: 'foreign' }
  if (attempt.payload === null || attempt.token === null) return { kind: 'incomplete' }
  const submitted = { attemptId, order: attempt.payload, token: attempt.token }
  if (!attempt.is_same) return { kind: 'changed', submitted, isDone: attempt.is_done }
  if (attempt.is_done) return { kind: 'done', submitted }

  try {
    await placeOrder(attempt.id, await verify(attempt, submitted), submitted.order)
    return { kind: 'done', submitted }
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    await db.query('update attempts set refusal = $2 where id = $1', [attempt.id, error.code])
    return { kind: 'refused', submitted, error }
  }
}

type AttemptRow = {
  id: string
  action: string
  hostname: string
  idempotency_key: string
  intent_id: string
  payload: Order | null
  token: string | null
  /** Null if this submission is not complete. */
  is_same: boolean | null
  is_done: boolean
}

/** Every value comes from the record, so a repetition is the same request and gets the same decision. */
async function verify(attempt: AttemptRow, { token }: Submitted): Promise<string> {
  const { decisionId } = await tollgate.verify({
    response: token,
    intentId: attempt.intent_id,
    action: attempt.action,
    hostname: attempt.hostname,
    idempotencyKey: attempt.idempotency_key,
  })
  return decisionId
}

/** Executes the action. The unique constraint allows it once; payment and e-mail are started from its row. */
async function placeOrder(attemptId: string, decisionId: string, order: Order): Promise<void> {
  await db.query('insert into orders (attempt_id, decision_id, payload) values ($1, $2, $3) on conflict do nothing', [
    attemptId,
    decisionId,
    JSON.stringify(order),
  ])
  const { rowCount } = await db.query('select from orders where attempt_id = $1 and decision_id = $2', [
    attemptId,
    decisionId,
  ])
  if (rowCount !== 1) throw new Error('the decision belongs to another order')
}

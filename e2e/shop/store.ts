import type { Database, Query } from './database.ts'
import type { Action, Payload } from './fields.ts'

export type State = 'created' | 'opened' | 'submitted' | 'refused' | 'completed'

/** An attempt as it is written before anything is asked of Tollgate. */
export type NewAttempt = {
  readonly id: string
  readonly action: Action
  readonly session: string
  readonly nonce: string
  readonly idempotencyKey: string
  readonly hostname: string
  /** The exemption that its intent is asked for with. */
  readonly grantId: string | undefined
}

/** Who submits what: an attempt is reached only by its own session and for its own action. */
export type AttemptRef = { readonly id: string; readonly action: Action; readonly session: string }

/** An attempt with an intent. */
export type Attempt = {
  readonly id: string
  readonly action: Action
  readonly state: State
  readonly intentId: string
  readonly hostname: string
  readonly idempotencyKey: string
  readonly frozen: Frozen | undefined
}

/** What the first submission fixed for all later ones of the same attempt. */
export type Frozen = { readonly payload: Payload; readonly token: string }

type AttemptRow = {
  id: string
  action: Action
  state: State
  intent_id: string
  hostname: string
  idempotency_key: string
  payload: Payload | null
  token: string | null
}

const attemptColumns = 'id, action, state, intent_id, hostname, idempotency_key, payload, token'

/** The shop's records. Whatever must happen once is one conditional statement whose rows are counted. */
export class Store {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async createAttempt(attempt: NewAttempt): Promise<void> {
    await this.#database.query(
      `insert into attempts (id, action, session, nonce, idempotency_key, hostname, trusted_grant_id)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        attempt.id,
        attempt.action,
        attempt.session,
        attempt.nonce,
        attempt.idempotencyKey,
        attempt.hostname,
        attempt.grantId,
      ],
    )
  }

  /** Ties the intent to the attempt. An intent that is tied stays: a second one is refused. */
  async attachIntent(id: string, intentId: string): Promise<void> {
    const rows = await this.#database.query(
      `update attempts set intent_id = $2, state = 'opened' where id = $1 and intent_id is null returning id`,
      [id, intentId],
    )
    if (rows.length !== 1) throw new Error('this attempt has an intent already')
  }

  /**
   * The attempt of this session whose page holds the intent, with what its next intent is opened with. Undefined if there
   * is none, or if it was submitted.
   */
  async prepareRenewal(
    session: string,
    intentId: string,
    nonce: string,
    idempotencyKey: string,
  ): Promise<{ id: string; action: Action } | undefined> {
    const [row] = await this.#database.query<{ id: string; action: Action }>(
      `update attempts set nonce = $3, idempotency_key = $4
       where session = $1 and $2::uuid in (intent_id, renewed_intent_id) and frozen_at is null
       returning id, action`,
      [session, intentId, nonce, idempotencyKey],
    )
    return row
  }

  /** Puts another intent in the place of the page's; of several the last one counts. False if it was submitted meanwhile. */
  async replaceIntent(id: string, previous: string, intentId: string): Promise<boolean> {
    const rows = await this.#database.query(
      `update attempts set intent_id = $3, renewed_intent_id = $2, trusted_grant_id = null
       where id = $1 and frozen_at is null
       returning id`,
      [id, previous, intentId],
    )
    return rows.length === 1
  }

  /** The attempt, if it belongs to this session and action and has an intent. */
  async findAttempt(ref: AttemptRef): Promise<Attempt | undefined> {
    const [row] = await this.#database.query<AttemptRow>(
      `select ${attemptColumns} from attempts
       where id = $1 and action = $2 and session = $3 and intent_id is not null`,
      [ref.id, ref.action, ref.session],
    )
    return row && readAttempt(row)
  }

  /**
   * Fixes payload and token at the first submission. Every later one, racing or not, gets the first one's values back.
   * Undefined if the attempt is not this session's and action's.
   */
  async freezeAttempt(ref: AttemptRef, payload: Payload, token: string): Promise<Frozen | undefined> {
    const rows = await this.#database.query(
      `update attempts set payload = $4, token = $5, frozen_at = now(), state = 'submitted'
       where id = $1 and action = $2 and session = $3 and intent_id is not null and frozen_at is null
       returning id`,
      [ref.id, ref.action, ref.session, JSON.stringify(payload), token],
    )
    if (rows.length === 1) return { payload, token }
    // A statement of its own: the one above cannot see what it lost against.
    return (await this.findAttempt(ref))?.frozen
  }

  /** Records why an attempt did not go through. It never overwrites one that did, in another request of the same form. */
  async noteRefusal(id: string, code: string): Promise<void> {
    await this.#database.query(
      `update attempts set state = 'refused', refusal_code = $2 where id = $1 and state <> 'completed'`,
      [id, code],
    )
  }

  /** Places the order of an attempt, once: asked again, or by two at once, it is the same order. Returns its number. */
  async placeOrder(attemptId: string, payload: Payload, decisionId: string): Promise<number> {
    return this.#database.transaction(async (query) => {
      // No constraint is named after `on conflict`: a racing request trips over either of the two, attempt or decision.
      const placed = await query(
        `insert into orders (attempt_id, decision_id, product, quantity, total_cents, name, email, address)
         values ($1, $2, $3, $4::integer, $5::integer, $6, $7, $8)
         on conflict do nothing
         returning number`,
        [
          attemptId,
          decisionId,
          payload.product,
          payload.quantity,
          payload.total,
          payload.name,
          payload.email,
          payload.address,
        ],
      )
      if (placed.length === 1) await completeAttempt(query, attemptId)
      // A statement of its own: the one above cannot see the row that it lost against.
      const [order] = await query<{ number: number }>('select number from orders where attempt_id = $1', [attemptId])
      if (order === undefined) throw new Error('this decision carries the order of another attempt')
      return order.number
    })
  }

  /** Adds the subscriber of an attempt, once, in the same way. */
  async addSubscriber(attemptId: string, payload: Payload, decisionId: string): Promise<void> {
    await this.#database.transaction(async (query) => {
      const added = await query(
        `insert into subscribers (attempt_id, decision_id, email) values ($1, $2, $3)
         on conflict do nothing
         returning id`,
        [attemptId, decisionId, payload.email],
      )
      if (added.length === 1) await completeAttempt(query, attemptId)
      const known = await query('select id from subscribers where attempt_id = $1', [attemptId])
      if (known.length === 0) throw new Error('this decision carries the sign-up of another attempt')
    })
  }
}

async function completeAttempt(query: Query, id: string): Promise<void> {
  await query(`update attempts set state = 'completed', refusal_code = null where id = $1`, [id])
}

function readAttempt(row: AttemptRow): Attempt {
  return {
    id: row.id,
    action: row.action,
    state: row.state,
    intentId: row.intent_id,
    hostname: row.hostname,
    idempotencyKey: row.idempotency_key,
    frozen: row.payload === null || row.token === null ? undefined : { payload: row.payload, token: row.token },
  }
}

import type { Database } from './database.ts'
import type { Action, Payload } from './fields.ts'
import type { State } from './store.ts'

/** One line of the activity page. */
export type ActivityLine = {
  readonly id: string
  readonly action: Action
  readonly state: State
  readonly intentId: string | undefined
  readonly refusalCode: string | undefined
  readonly orderNumber: number | undefined
  readonly decisionId: string | undefined
  readonly createdAt: Date
}

/** What came of a completed attempt. */
export type Receipt = {
  readonly attempt: string
  readonly action: Action
  readonly payload: Payload
  readonly orderNumber: number | undefined
  readonly decisionId: string
}

/** What a session may look up about itself. */
export class History {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** What came of an attempt of this session, if it was completed. */
  async findReceipt(id: string, session: string): Promise<Receipt | undefined> {
    const [row] = await this.#database.query<{
      action: Action
      payload: Payload
      number: number | null
      decision_id: string
    }>(
      `select a.action, a.payload, o.number, coalesce(o.decision_id, s.decision_id) as decision_id
       from attempts a
       left join orders o on o.attempt_id = a.id
       left join subscribers s on s.attempt_id = a.id
       where a.id = $1 and a.session = $2 and a.state = 'completed'`,
      [id, session],
    )
    if (row === undefined) return undefined
    return {
      attempt: id,
      action: row.action,
      payload: row.payload,
      orderNumber: row.number ?? undefined,
      decisionId: row.decision_id,
    }
  }

  /** This session's own attempts, the newest 50 first. */
  async listActivity(session: string): Promise<ActivityLine[]> {
    const rows = await this.#database.query<{
      id: string
      action: Action
      state: State
      intent_id: string | null
      refusal_code: string | null
      number: number | null
      decision_id: string | null
      created_at: Date
    }>(
      `select a.id, a.action, a.state, a.intent_id, a.refusal_code, a.created_at,
              o.number, coalesce(o.decision_id, s.decision_id) as decision_id
       from attempts a
       left join orders o on o.attempt_id = a.id
       left join subscribers s on s.attempt_id = a.id
       where a.session = $1
       order by a.created_at desc, a.id
       limit 50`,
      [session],
    )
    return rows.map((row) => ({
      id: row.id,
      action: row.action,
      state: row.state,
      intentId: row.intent_id ?? undefined,
      refusalCode: row.refusal_code ?? undefined,
      orderNumber: row.number ?? undefined,
      decisionId: row.decision_id ?? undefined,
      createdAt: row.created_at,
    }))
  }
}

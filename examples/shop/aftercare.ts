// What may follow an order: an exemption from the next challenge, and reports on the decision.
import { createEventId, InvalidError, type Outcome, RefusedError } from '@tollgate/node'
import type { Shop } from './context.ts'
import { type Action, type Payload, UUID } from './fields.ts'

/** A form of this session and what it led to; see the view in tables.sql. */
export type Activity = {
  id: string
  action: Action
  session: string
  state: 'Opened' | 'Sent' | 'Refused' | 'Done'
  intent_id: string | null
  payload: Payload
  refusal: string | null
  created_at: Date
  /** Null before it is completed, like the rest. */
  number: number | null
  decision_id: string
  exemption: 'offered' | 'ready' | 'skipped' | 'over' | null
  exempt_until: Date
  /** Null if there is no report, like `outcome` and `occurred_at`. */
  event_id: string | null
  outcome: Outcome
  /** Unix seconds. */
  occurred_at: number
  supersedes: string | null
  /** Null until Tollgate has answered the report. */
  revision: number | null
  correctable_until: Date
}

/** The latest 50 forms of a session. */
export async function listActivity({ sql }: Shop, session: string | undefined): Promise<Activity[]> {
  const statement = 'select * from activity where session = $1 order by created_at desc, id limit 50'
  return (await sql.query<Activity>(statement, [session])).rows
}

/** A completed form of this session. */
export async function findSale({ sql }: Shop, id: string, session: string | undefined): Promise<Activity | undefined> {
  if (!UUID.test(id)) return undefined
  const statement = 'select * from activity where id = $1 and session = $2 and number is not null'
  return (await sql.query<Activity>(statement, [id, session])).rows[0]
}

/**
 * Requests the exemption of a decision: the session's next form needs no challenge. The request is always the same, so
 * two clicks, or a repetition after a lost answer, get the same grant.
 * @throws TollgateError if there is none
 */
export async function takeExemption({ sql, tollgate }: Shop, sale: Activity): Promise<void> {
  const { id, session, decision_id: decisionId, exemption } = sale
  // this shop does not renew: an order without a challenge gets no further exemption
  if (exemption !== 'offered' && exemption !== null) return
  await sql.query('insert into exemptions (attempt_id, session) values ($1, $2) on conflict do nothing', [id, session])
  const { grantId, expiresAt } = await tollgate.createGrant({ decisionId, session, ttl: 900, uses: 1 })
  await sql.query(
    `update exemptions set grant_id = $2, expires_at = to_timestamp($3)
     where attempt_id = $1 and grant_id is null and not ended`,
    [id, grantId, expiresAt],
  )
}

/** A grant that the session can still use. */
export async function pickExemption({ sql }: Shop, session: string): Promise<string | undefined> {
  const { rows } = await sql.query<{ grant_id: string }>(
    'select grant_id from exemptions where session = $1 and expires_at > now() and not ended order by expires_at',
    [session],
  )
  return rows[0]?.grant_id
}

export async function endExemption({ sql }: Shop, grantId: string): Promise<void> {
  await sql.query('update exemptions set ended = true where grant_id = $1', [grantId])
}

/**
 * Ends every exemption of the session, as a shop does at log-out: first here, so that none is used even if Tollgate
 * cannot be reached. Returns how many Tollgate revoked.
 */
export async function forgetDevice({ sql, tollgate }: Shop, session: string): Promise<number> {
  await sql.query('update exemptions set ended = true where session = $1', [session])
  return (await tollgate.revokeGrant({ session })).revoked
}

/**
 * Reports what became of a decision, or corrects the latest report. A report is stored before it is sent; one that was
 * not answered is sent again unchanged before a new one.
 * @throws TollgateError if a report was not accepted
 */
export async function fileReport(shop: Shop, sale: Activity, outcome: Outcome): Promise<void> {
  if (sale.event_id !== null && sale.revision === null) await sendReport(shop, sale)
  if (sale.event_id !== null && sale.outcome === outcome) return
  await shop.sql.query(
    `insert into reports (event_id, attempt_id, outcome, occurred_at, supersedes)
     values ($1, $2, $3, floor(extract(epoch from now())), $4) on conflict do nothing`,
    [createEventId(), sale.id, outcome, sale.event_id],
  )
  // If another click was faster, its report is the latest one now. This one repeats or corrects it.
  const latest = await findSale(shop, sale.id, sale.session)
  if (latest) await fileReport(shop, latest, outcome)
}

async function sendReport({ sql, tollgate }: Shop, sale: Activity): Promise<void> {
  const { decision_id: decisionId, event_id: eventId, outcome, occurred_at: occurredAt, supersedes } = sale
  if (eventId === null) return
  const businessType = sale.action === 'checkout' ? 'order' : 'newsletter'
  const supersedesEventId = supersedes ?? undefined
  try {
    const answer = { decisionId, eventId, outcome, businessType, occurredAt, supersedesEventId }
    const { revision, expiresAt } = await tollgate.feedback(answer)
    const statement = 'update reports set revision = $2, correctable_until = to_timestamp($3) where event_id = $1'
    await sql.query(statement, [eventId, revision, expiresAt])
  } catch (error) {
    // after a final answer the report is not repeated; after any other failure it may have arrived
    if (error instanceof RefusedError || error instanceof InvalidError)
      await sql.query('update reports set refusal = $2 where event_id = $1', [eventId, error.code])
    throw error
  }
}

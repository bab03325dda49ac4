import { createEventId, type FeedbackReceipt, type Outcome } from '@tollgate/node'
import type { Database } from './database.ts'

/** What the shop says about a decision, as it is kept and, until it is answered, repeated. */
export type Report = {
  readonly eventId: string
  readonly outcome: Outcome
  readonly businessType: string
  /** Unix seconds. */
  readonly occurredAt: number
  readonly supersedes: string | undefined
  /** Tollgate's answer; absent while there is none. */
  readonly accepted: { readonly revision: number; readonly until: Date } | undefined
}

type ReportRow = {
  attempt_id: string
  event_id: string
  outcome: Outcome
  business_type: string
  occurred_at: number
  supersedes_event_id: string | null
  revision: number | null
  correctable_until: Date | null
}

const reportColumns = `r.attempt_id, r.event_id, r.outcome, r.business_type, r.occurred_at::float8 as occurred_at,
  r.supersedes_event_id, r.revision, r.correctable_until`

/** The shop's reports on its decisions. Those of one decision form a line: each supersedes the one before. */
export class Reports {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The end of an attempt's line. What Tollgate refused does not belong to it. */
  async findLatest(attemptId: string): Promise<Report | undefined> {
    const [row] = await this.#database.query<ReportRow>(
      `select ${reportColumns} from reports r
       where r.attempt_id = $1 and r.refusal_code is null
       order by r.number desc limit 1`,
      [attemptId],
    )
    return row && readReport(row)
  }

  /** The latest report of each of the session's attempts that has one, by attempt. */
  async listLatest(session: string): Promise<ReadonlyMap<string, Report>> {
    const rows = await this.#database.query<ReportRow>(
      `select distinct on (r.attempt_id) ${reportColumns}
       from reports r join attempts a on a.id = r.attempt_id
       where a.session = $1 and r.refusal_code is null
       order by r.attempt_id, r.number desc`,
      [session],
    )
    return new Map(rows.map((row) => [row.attempt_id, readReport(row)]))
  }

  /** Puts a report at the end of an attempt's line, before it is sent. Undefined if another one got there first. */
  async record(
    attemptId: string,
    report: Pick<Report, 'outcome' | 'businessType' | 'supersedes'>,
  ): Promise<Report | undefined> {
    const [row] = await this.#database.query<ReportRow>(
      `insert into reports as r (event_id, attempt_id, outcome, business_type, occurred_at, supersedes_event_id)
       values ($1, $2, $3, $4, floor(extract(epoch from now())), $5)
       on conflict do nothing
       returning ${reportColumns}`,
      [createEventId(), attemptId, report.outcome, report.businessType, report.supersedes],
    )
    return row && readReport(row)
  }

  async accept(eventId: string, { revision, expiresAt }: FeedbackReceipt): Promise<void> {
    await this.#database.query(
      'update reports set revision = $2, correctable_until = to_timestamp($3) where event_id = $1',
      [eventId, revision, expiresAt],
    )
  }

  /** Takes a report out of its line: Tollgate has refused it for good. */
  async refuse(eventId: string, code: string): Promise<void> {
    await this.#database.query('update reports set refusal_code = $2 where event_id = $1 and revision is null', [
      eventId,
      code,
    ])
  }
}

function readReport(row: ReportRow): Report {
  const { revision, correctable_until: until } = row
  return {
    eventId: row.event_id,
    outcome: row.outcome,
    businessType: row.business_type,
    occurredAt: row.occurred_at,
    supersedes: row.supersedes_event_id ?? undefined,
    accepted: revision === null || until === null ? undefined : { revision, until },
  }
}

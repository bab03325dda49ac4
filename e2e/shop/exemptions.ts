import type { Grant } from '@tollgate/node'
import type { Database } from './database.ts'

/** How things stand with skipping the next check, seen from one completed attempt. */
export type Standing =
  /** Its check was really solved, lately, and no exemption has come of it yet. */
  | { readonly kind: 'offered' }
  | { readonly kind: 'ready'; readonly until: Date }
  /** Its exemption was used, has expired or was forgotten. */
  | { readonly kind: 'over' }
  /** It was made with an exemption, which this shop does not renew. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'late' }

/** The exemptions that Tollgate gave to this shop's sessions. */
export class Exemptions {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Notes that an attempt's exemption is asked for. Asked twice, it is one. */
  async request(attemptId: string, session: string): Promise<void> {
    await this.#database.query('insert into exemptions (attempt_id, session) values ($1, $2) on conflict do nothing', [
      attemptId,
      session,
    ])
  }

  /** Keeps the grant, unless another click did so before or the device was forgotten meanwhile. */
  async keep(attemptId: string, { grantId, uses, expiresAt }: Grant): Promise<void> {
    await this.#database.query(
      `update exemptions set grant_id = $2, uses_left = $3, expires_at = to_timestamp($4)
       where attempt_id = $1 and grant_id is null and forgotten_at is null`,
      [attemptId, grantId, uses, expiresAt],
    )
  }

  /** A grant that the session can still use: of several the one that ends first. */
  async pick(session: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ grant_id: string }>(
      `select grant_id from exemptions
       where session = $1 and uses_left > 0 and expires_at > now() and forgotten_at is null
       order by expires_at limit 1`,
      [session],
    )
    return row?.grant_id
  }

  async countUse(grantId: string): Promise<void> {
    await this.#database.query(
      'update exemptions set uses_left = uses_left - 1 where grant_id = $1 and uses_left > 0',
      [grantId],
    )
  }

  /** Forgets a grant that Tollgate does not take any more. */
  async forget(grantId: string): Promise<void> {
    await this.#database.query(
      'update exemptions set forgotten_at = now() where grant_id = $1 and forgotten_at is null',
      [grantId],
    )
  }

  /** Forgets all of a session's, those being asked for included. */
  async forgetAll(session: string): Promise<void> {
    await this.#database.query(
      'update exemptions set forgotten_at = now() where session = $1 and forgotten_at is null',
      [session],
    )
  }

  /** Where a completed attempt of this session stands. */
  async standing(attemptId: string, session: string): Promise<Standing> {
    const [row] = await this.#database.query<{
      skipped: boolean
      recent: boolean
      usable: boolean | null
      closed: boolean | null
      expires_at: Date | null
    }>(
      `select a.trusted_grant_id is not null as skipped,
              coalesce(o.placed_at, s.joined_at) > now() - interval '10 minutes' as recent,
              e.uses_left > 0 and e.expires_at > now() and e.forgotten_at is null as usable,
              e.grant_id is not null or e.forgotten_at is not null as closed,
              e.expires_at
       from attempts a
       left join orders o on o.attempt_id = a.id
       left join subscribers s on s.attempt_id = a.id
       left join exemptions e on e.attempt_id = a.id
       where a.id = $1 and a.session = $2`,
      [attemptId, session],
    )
    if (row === undefined) return { kind: 'late' }
    if (row.skipped) return { kind: 'skipped' }
    if (row.usable && row.expires_at) return { kind: 'ready', until: row.expires_at }
    if (row.closed) return { kind: 'over' }
    return { kind: row.recent ? 'offered' : 'late' }
  }
}

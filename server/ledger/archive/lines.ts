import type { HotPool } from '../../kit/db/db.ts'

const PAGE = 1000

/**
 * The columns that the archive keeps: nothing that identifies a visitor. A new column is in no file until it is named here;
 * the test names those that are left out.
 */
export const KEPT = {
  decision:
    'id tenant_id site_id action hostname token_hash key_hash redeemed_at charged_to challenged_at solved_at work work_reasons mobile grant_id',
  feedback_event:
    'site_id event_id tenant_id decision_id revision outcome business_type occurred_at supersedes created_at',
  captcha_grant:
    'id tenant_id site_id decision_id uses ttl_asked uses_asked solved_at used created_at expires_at revoked_at',
}

const kept = (table: keyof typeof KEPT, alias: string): string =>
  `jsonb_build_object(${KEPT[table]
    .split(' ')
    .map((column) => `'${column}', ${alias}.${column}`)
    .join(', ')})`

const TENANTS = {
  name: 'archive_tenants',
  text: `/* archive_tenants */ select t.id::text as id from tenant t
    where exists (
      select from decision d where d.tenant_id = t.id and d.redeemed_at >= $1::date::timestamp at time zone 'utc'
        and d.redeemed_at < ($1::date + 1)::timestamp at time zone 'utc'
    ) order by t.id`,
}

/** `$3` and `$4`: time and id of the last decision of the page before, or null. */
const LINES = {
  name: 'archive_lines',
  text: `/* archive_lines */ select d.id::text as id, d.redeemed_at::text as at, jsonb_build_object(
      'decision', ${kept('decision', 'd')},
      'feedback', (select coalesce(jsonb_agg(${kept('feedback_event', 'f')} order by f.revision), '[]') from feedback_event f
        where f.decision_id = d.id and f.tenant_id = d.tenant_id),
      'grant', (select ${kept('captcha_grant', 'g')} from captcha_grant g where g.decision_id = d.id and g.tenant_id = d.tenant_id)
    )::text as line
    from (
      select * from decision x
      where x.tenant_id = $2::uuid and x.redeemed_at >= greatest($1::date::timestamp at time zone 'utc', $3::timestamptz)
        and x.redeemed_at < ($1::date + 1)::timestamp at time zone 'utc'
        and ($4::uuid is null or (x.redeemed_at, x.id) > ($3::timestamptz, $4::uuid))
      order by x.redeemed_at, x.id limit ${PAGE}
    ) d order by d.redeemed_at, d.id`,
}

/** The tenants that have decisions of a UTC day. */
export async function tenantsOfDay(hotPool: HotPool, day: string): Promise<string[]> {
  return (await hotPool.query<{ id: string }>(TENANTS, [day])).map(({ id }) => id)
}

/**
 * The decisions of a UTC day with their reports and their grant, as JSON, by tenant and time. Without what identifies visitors:
 * hashes of networks, subjects and sessions.
 */
export async function* linesOf(hotPool: HotPool, day: string): AsyncGenerator<string> {
  for (const tenant of await tenantsOfDay(hotPool, day)) {
    let last: { at: string; id: string } | undefined
    for (;;) {
      const rows = await hotPool.query<{ id: string; at: string; line: string }>(LINES, [
        day,
        tenant,
        last?.at ?? null,
        last?.id ?? null,
      ])
      for (const { line } of rows) yield line
      last = rows.at(-1)
      if (rows.length < PAGE) break
    }
  }
}

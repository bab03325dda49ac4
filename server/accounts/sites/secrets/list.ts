import { type Page, type PageInput, toPage } from '../../../ledger/page.ts'
import type { MemberCtx } from '../../access.ts'

export type SecretRow = {
  id: string
  /** The prefix of every secret, for display. */
  prefix: 'tg_secret_'
  last4: string
  /** `ending`: in a rotation's overlap, until `endsAt`. */
  state: 'live' | 'ending' | 'ended'
  /** Unix seconds. */
  createdAt: number
  /** Accurate to about a minute; null if never used. */
  lastUsedAt: number | null
  /** The same with calls that were refused because it had ended. */
  lastCallAt: number | null
  /** The server that used it last: its User-Agent and the area of its network. */
  usedBy: string | null
  usedFrom: string | null
  endsAt: number | null
}

type Row = {
  id: string
  last4: string
  state: SecretRow['state']
  created_at: number
  used_at: number | null
  call_at: number | null
  used_by: string | null
  used_from: string | null
  ends_at: number | null
}

/** The site's secrets, newest first, without their text. By the database's clock, as on the verification path. */
export async function listSecrets(
  ctx: MemberCtx,
  site: { id: string },
  { cursor, limit }: PageInput,
): Promise<Page<SecretRow>> {
  const rows = await ctx.prisma.$queryRaw<Row[]>`
    select id::text as id, last4, floor(extract(epoch from created_at))::float8 as created_at,
      floor(extract(epoch from last_used_at))::float8 as used_at,
      floor(extract(epoch from greatest(last_used_at, refused_at)))::float8 as call_at, used_by, used_from,
      floor(extract(epoch from coalesce(revoked_at, expires_at)))::float8 as ends_at,
      case when revoked_at is not null or expires_at <= now() then 'ended'
        when expires_at is not null then 'ending'
        else 'live' end as state
    from secret
    where site_id = ${site.id}::uuid and (${cursor ?? null}::uuid is null or id < ${cursor ?? null}::uuid)
    order by id desc limit ${limit + 1}`
  return toPage(
    rows.map(({ id, last4, state, created_at, used_at, call_at, used_by, used_from, ends_at }) => ({
      id,
      prefix: 'tg_secret_' as const,
      last4,
      state,
      createdAt: created_at,
      lastUsedAt: used_at,
      lastCallAt: call_at,
      usedBy: used_by,
      usedFrom: used_from,
      endsAt: ends_at,
    })),
    limit,
  )
}

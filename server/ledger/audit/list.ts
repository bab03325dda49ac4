import type { Prisma } from '../../../prisma/client/client.ts'
import type { ActorType } from '../../../prisma/client/enums.ts'
import type { AuditFilters } from '../../contract/filters.ts'
import { UUID } from '../../contract/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { likePattern } from '../../kit/http/escape.ts'
import { type Page, type PageInput, toPage } from '../page.ts'
import type { Period } from '../usage/period.ts'

export type AuditRow = {
  id: string
  actor: { kind: 'member' | 'staff' | 'operator' | 'key' | 'oidc'; name: string; email: string | null }
  action: string
  target: string
  /** The target's current name: a site, a member's e-mail, the tenant, or a grant's site and session; null if it was deleted or has no name. */
  targetName: string | null
  before: Prisma.JsonValue
  after: Prisma.JsonValue
  /** Unix seconds. */
  createdAt: number
}

type Row = {
  id: string
  actor_type: ActorType
  name: string | null
  email: string | null
  action: string
  target: string
  target_name: string | null
  before: Prisma.JsonValue
  after: Prisma.JsonValue
  created_at: number
}

/** Changes in the tenant and the period, the newest first; with `id` the one event. Members are shown by name, staff only as staff. */
export async function listAudit(
  ctx: Db,
  tenant: { id: string },
  input: AuditFilters & { [Edge in keyof Period]?: number | undefined } & PageInput & { id?: string | undefined },
): Promise<Page<AuditRow>> {
  const [actor, target, text] = [input.actor, input.target, input.text].map((part) => (part ? likePattern(part) : null))
  const actions = input.action ? input.action.split(',').map(likePattern) : null
  const [cursor, id, from, to] = [input.cursor ?? null, input.id ?? null, input.from ?? null, input.to ?? null]
  const rows = await ctx.prisma.$queryRaw<Row[]>`
    select e.id::text as id, e.actor_type::text as actor_type, coalesce(u.name, k.name) as name, u.email,
      e.action, e.target, t.name as target_name, e.before, e.after,
      floor(extract(epoch from e.created_at))::float8 as created_at
    from audit_event e
    left join "user" u on u.id = case when e.actor_type = 'user' then e.actor_id::uuid end
    left join api_key k on k.id = case when e.actor_type = 'key' then e.actor_id::uuid end
    cross join lateral (
      select case when e.target ~ ${UUID.source} then e.target::uuid end as id
    ) x
    left join lateral (
      select s.name from site s where s.id = x.id and s.tenant_id = e.tenant_id
      union all
      select p.email from member m join "user" p on p.id = m.user_id where m.id = x.id and m.tenant_id = e.tenant_id
      union all
      select concat_ws(' · ', n.name, 'grant …' || right(g.id::text, 8), 'session ' || left(g.session, 8))
      from captcha_grant g left join site_name n on n.id = g.site_id where g.id = x.id and g.tenant_id = e.tenant_id
      union all
      select 'session ' || e.target where e.action like 'grant.%' and e.target ~ '^[0-9a-f]{8}$'
      union all
      select a.name from api_key a where a.id = x.id and a.tenant_id = e.tenant_id
      union all
      select o.name from tenant o where o.id = x.id and o.id = e.tenant_id
    ) t on true
    where e.tenant_id = ${tenant.id}::uuid
      and (${id}::uuid is null or e.id = ${id}::uuid)
      and (${from}::float8 is null or e.created_at >= to_timestamp(${from}))
      and (${to}::float8 is null or e.created_at < to_timestamp(${to}))
      and (${cursor}::uuid is null or (e.created_at, e.id) < (
        select c.created_at, c.id from audit_event c where c.id = ${cursor}::uuid and c.tenant_id = ${tenant.id}::uuid))
      and (${actor}::text is null or u.name ilike ${actor} or u.email ilike ${actor} or k.name ilike ${actor}
        or (u.id is null and e.actor_type::text ilike ${actor}))
      and (${actions}::text[] is null or e.action ilike any (${actions}))
      and (${target}::text is null or e.target ilike ${target} or t.name ilike ${target})
      and (${text}::text is null or e.target ilike ${text} or t.name ilike ${text}
        or e.before::text ilike ${text} or e.after::text ilike ${text})
    order by e.created_at desc, e.id desc
    limit ${input.limit + 1}`
  return toPage(
    rows.map(({ created_at, name, email, actor_type, ...row }) => ({
      id: row.id,
      actor: actorOf(actor_type, name, email),
      action: row.action,
      target: row.target,
      targetName: row.target_name,
      before: row.before,
      after: row.after,
      createdAt: created_at,
    })),
    input.limit,
  )
}

function actorOf(type: ActorType, name: string | null, email: string | null): AuditRow['actor'] {
  switch (type) {
    case 'user':
      return { kind: 'member', name: name ?? 'Former user', email }
    case 'staff':
      return { kind: 'staff', name: 'Tollgate support', email: null }
    case 'operator':
      return { kind: 'operator', name: 'Tollgate operator', email: null }
    case 'key':
      return { kind: 'key', name: name ?? 'Former API key', email: null }
    case 'oidc':
      return { kind: 'oidc', name: 'Identity provider', email: null }
  }
}

import { Prisma } from '../../../prisma/client/client.ts'
import { wordPatterns } from '../../kit/http/escape.ts'
import { archivesOf } from '../../ledger/archive/archived.ts'
import type { StaffCtx } from '../access.ts'
import { hashSecret } from '../sites/secrets/verify.ts'
import { readQuery, type SearchQuery } from './read.ts'
import { recordStaffRead } from './recordRead.ts'

/** In the order of the results. */
const KINDS = [
  'decision',
  'intent',
  'grant',
  'feedback',
  'refusal',
  'tenant',
  'secret',
  'person',
  'invitation',
  'site',
  'hostname',
] as const

export type HitKind = (typeof KINDS)[number]

/** A search result, with texts for a list. */
export type Hit = {
  kind: HitKind
  /** The object's id; never a secret. */
  id: string
  label: string
  detail: string
  /** Unix seconds. */
  at: number | null
  /** Null for objects without a tenant: an unauthenticated request, a person without a membership. */
  tenant: { id: string; slug: string; name: string } | null
}

/**
 * `shape`: how the text was classified. `archives`: without a hit, the files in which a decision with this id is, if there was one.
 */
export type Found = { shape: SearchQuery['shape'] | 'nothing'; hits: Hit[]; archives: string[] }

const MANY = 40
/** Of each kind that has a name. */
const MANY_NAMED = 10
/** Among so many decisions a short id is looked for. */
const LATEST = 20_000

type Row = Omit<Hit, 'tenant'> & { tenant_id: string | null; slug: string | null; name: string | null }

/**
 * Finds the objects that the text names, in all tenants. Ids are looked up by an index, names in whole tables. A secret key is looked up by its hash
 * and is not stored, logged or returned.
 */
export async function searchAnything(ctx: StaffCtx, typed: string): Promise<Found> {
  const read = readQuery(typed)
  if (!read) return { shape: 'nothing', hits: [], archives: [] }
  // an address has to be the whole value, so that it can be erased
  const query = read.shape === 'email' ? read.email : typed.trim()
  await recordStaffRead(ctx, {
    action: 'staff.search',
    target: read.shape,
    ...(read.shape !== 'secret' && { after: { query } }),
  })
  const found = statementFor(read)
  if (found === undefined) return { shape: read.shape, hits: [], archives: [] }
  const slug = 'text' in read ? read.text.toLowerCase() : ''
  const rows = await ctx.prisma.$queryRaw<Row[]>`
    select f.kind, f.id::text as id, f.label, f.detail, floor(extract(epoch from f.at))::float8 as at,
      t.id::text as tenant_id, t.slug, t.name
    from (${found}) f left join tenant t on t.id = f.tenant_id
    order by array_position(${KINDS}, f.kind), t.slug = ${slug} desc, f.label
    limit ${MANY}`
  const lost = rows.length === 0 && (read.shape === 'decision' || read.shape === 'uuid')
  return {
    shape: read.shape,
    archives: lost ? await archivesOf(ctx, read.id) : [],
    hits: rows.map(({ tenant_id, slug, name, ...hit }) => ({
      ...hit,
      tenant: tenant_id === null || slug === null || name === null ? null : { id: tenant_id, slug, name },
    })),
  }
}

function statementFor(read: SearchQuery): Prisma.Sql | undefined {
  switch (read.shape) {
    case 'secret':
      return read.secret === undefined ? undefined : secretOf(Prisma.sql`k.hash = ${hashSecret(read.secret)}`)
    case 'decision':
      return Prisma.sql`${decision(read.id)} union all ${intent(read.id)}`
    case 'request':
      return refusal(Prisma.sql`r.id = ${read.id}::uuid`)
    case 'uuid':
      return Prisma.join(
        [
          decision(read.id),
          intent(read.id),
          grant(read.id),
          feedback(read.id),
          refusal(Prisma.sql`r.id = ${read.id}::uuid`),
          tenant(Prisma.sql`t.id = ${read.id}::uuid`),
          site(Prisma.sql`s.id = ${read.id}::uuid`),
        ],
        ' union all ',
      )
    case 'sitekey':
      return site(Prisma.sql`s.sitekey = ${read.sitekey}`)
    case 'reference':
      return Prisma.sql`${refusal(Prisma.sql`r.reference = ${read.tail}`)} union all ${latestDecision(read.tail)}
        union all ${named(read.text)}`
    case 'email':
      return Prisma.sql`${person(Prisma.sql`u.email = ${read.email}`)} union all ${invitation(read.email)}`
    case 'name':
      return named(read.text)
  }
}

const decision = (id: string) => Prisma.sql`
  select 'decision' as kind, d.id, 'dec_' || replace(d.id::text, '-', '') as label, d.action || ' at ' || d.hostname as detail,
    d.redeemed_at as at, d.tenant_id from decision d where d.id = ${id}::uuid`

/**
 * By the end of its id, as lists show it, among the latest decisions: no index has the ends. Reads only the ids, and compares
 * bytes, because making the text of an id takes longer than reading it.
 */
const latestDecision = (tail: string) => Prisma.sql`
  select 'decision' as kind, d.id, 'dec_' || replace(d.id::text, '-', '') as label, d.action || ' at ' || d.hostname as detail,
    d.redeemed_at as at, d.tenant_id from decision d where d.id = any(array(
      select l.id from (select id from decision order by id desc limit ${LATEST}) l
      where substr(uuid_send(l.id), 13) = decode(${tail}, 'hex')
    ))`

const intent = (id: string) => Prisma.sql`
  select 'intent', i.id, i.id::text, i.action || ' at ' || i.hostname, i.created_at, i.tenant_id
    from intent i where i.id = ${id}::uuid and not exists (select 1 from decision d where d.id = i.id)`

const grant = (id: string) => Prisma.sql`
  select 'grant', g.id, g.id::text, g.used || ' of ' || g.uses || ' uses', g.created_at, g.tenant_id
    from captcha_grant g where g.id = ${id}::uuid`

const feedback = (id: string) => Prisma.sql`
  select 'feedback', e.event_id, e.event_id::text, replace(e.outcome::text, '_', ' ') || ', revision ' || e.revision,
    e.created_at, e.tenant_id from feedback_event e where e.event_id = ${id}::uuid`

const refusal = (where: Prisma.Sql) => Prisma.sql`
  select 'refusal' as kind, r.id, 'req_' || replace(r.id::text, '-', '') as label,
    r.endpoint || ' ' || case r.code when 'bad-field' then 'bad-request' else r.code end || coalesce(' ' || r.field, '') as detail,
    r.at, r.tenant_id from refusal r where ${where}`

const tenant = (where: Prisma.Sql) => Prisma.sql`
  select 'tenant' as kind, t.id, t.name as label,
    t.slug || case when t.suspended_at is null then '' else ', suspended' end as detail, t.created_at as at, t.id as tenant_id
    from tenant t where t.deleted_at is null and ${where}`

const site = (where: Prisma.Sql) => Prisma.sql`
  select 'site' as kind, s.id, s.name as label, s.sitekey || case when s.paused_at is null then '' else ', paused' end as detail,
    s.created_at as at, s.tenant_id from site s where ${where}`

/** The tenant with exactly this slug, and the tenants, persons, sites and hostnames with its words in their names. */
function named(text: string): Prisma.Sql {
  const words = wordPatterns(text)
  const last4 = /^(?:…|\.{3})?([0-9A-Za-z]{4})$/.exec(text)?.[1]
  const kinds = [
    Prisma.sql`${tenant(Prisma.sql`t.slug || ' ' || t.name ilike all(${words})`)}
      order by t.slug = ${text.toLowerCase()} desc, t.name`,
    ...(last4 === undefined ? [] : [secretOf(Prisma.sql`k.last4 = ${last4}`)]),
    person(Prisma.sql`u.name ilike all(${words})`),
    site(Prisma.sql`s.name ilike all(${words})`),
    Prisma.sql`select 'hostname', s.id, h.hostname, 'of ' || s.name, h.created_at, h.tenant_id
      from hostname h join site s on s.id = h.site_id where h.hostname ilike all(${words})`,
  ]
  return Prisma.join(
    kinds.map((kind) => Prisma.sql`(${kind} limit ${MANY_NAMED})`),
    ' union all ',
  )
}

const person = (where: Prisma.Sql) => Prisma.sql`
  select 'person' as kind, u.id, u.email as label,
    u.name || ', ' || coalesce(m.role::text, 'in no tenant') || coalesce(', staff: ' || u.staff_level::text, '') as detail,
    u.created_at as at, m.tenant_id
    from "user" u left join member m on m.user_id = u.id where ${where}`

const invitation = (email: string) => Prisma.sql`
  select 'invitation', i.id, i.email,
    'as ' || i.role || case when i.accepted_at is not null then ', accepted' when i.revoked_at is not null then ', taken back'
      when i.expires_at <= now() then ', expired' else ', open' end,
    i.created_at, i.tenant_id from invitation i where i.email = ${email}`

const secretOf = (where: Prisma.Sql) => Prisma.sql`
  select 'secret' as kind, s.id, s.name as label,
    'secret ending in ' || k.last4 || case when k.revoked_at is not null then ', revoked'
      when k.expires_at <= now() then ', ended' when k.expires_at is not null then ', ends soon' else ', active' end as detail,
    k.created_at as at, s.tenant_id from secret k join site s on s.id = k.site_id where ${where}`

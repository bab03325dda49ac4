import { Prisma } from '../../../prisma/client/client.ts'
import { ERRORS } from '../../contract/mistakes/errors.ts'
import type { Permission } from '../../contract/permissions.ts'
import { likePattern, wordPatterns } from '../../kit/http/escape.ts'
import type { MemberCtx } from '../access.ts'
import { readQuery, type SearchQuery } from '../staff/read.ts'

/** A search result, with texts for a list. */
export type TenantHit = {
  kind: 'decision' | 'intent' | 'grant' | 'feedback' | 'refusal' | 'site' | 'hostname' | 'refused-host' | 'code'
  /**
   * What the page of the result is opened with: of a grant and of feedback their decision's id, of a hostname its site's, of a
   * refused host itself, of an error its code.
   */
  id: string
  label: string
  detail: string
  /** Unix seconds. */
  at: number
}

const MANY = 20
const MANY_CODES = 4
const ERROR_CODES = Object.keys(ERRORS) as (keyof typeof ERRORS)[]
/** Short ids are looked for among so many of the tenant's latest decisions, and hosts among its refusals: no index has them. */
const LATEST = 10_000

/**
 * Finds what the text names among the tenant's own objects, as far as the member may read them: a whole id of any kind, the
 * last eight digits of a decision's, the reference that a visitor reads out, a site key, words of a site's name, a hostname, a refused host, or an error code. Secret
 * keys and e-mail addresses are not looked up.
 */
export async function searchTenant(ctx: MemberCtx, typed: string): Promise<TenantHit[]> {
  const query = readQuery(typed)
  const parts = (query ? lookUps(ctx.tenant.id, query) : [])
    .filter(([permission]) => ctx.allows(permission))
    .map(([, sql]) => sql)
  const codes = query?.shape === 'name' && ctx.allows('refusal.read') ? codesWith(query.text) : []
  if (parts.length === 0) return codes
  const found = await ctx.prisma.$queryRaw<TenantHit[]>`
    select kind, coalesce(id::text, label) as id, label, detail, floor(extract(epoch from at))::float8 as at
    from (${Prisma.join(parts, ' union all ')}) found
    limit ${MANY}`
  return [...codes, ...found]
}

/** The error codes that contain the text, which are written without spaces. */
const codesWith = (text: string): TenantHit[] =>
  ERROR_CODES.filter((code) => code.includes(text.toLowerCase().replaceAll(/[\s_]+/g, '-')))
    .slice(0, MANY_CODES)
    .map((code) => ({ kind: 'code', id: code, label: code, detail: `HTTP ${ERRORS[code].status}`, at: 0 }))

type LookUp = [Permission, Prisma.Sql]

function lookUps(tenantId: string, query: SearchQuery): LookUp[] {
  const tenant = Prisma.sql`${tenantId}::uuid`
  switch (query.shape) {
    case 'decision':
      return [decision(tenant, query.id), intent(tenant, query.id)]
    case 'request':
      return [refusal(tenant, Prisma.sql`r.id = ${query.id}::uuid`)]
    case 'uuid':
      return [
        decision(tenant, query.id),
        intent(tenant, query.id),
        grant(tenant, query.id),
        feedback(tenant, query.id),
        refusal(tenant, Prisma.sql`r.id = ${query.id}::uuid`),
        site(tenant, Prisma.sql`s.id = ${query.id}::uuid`),
      ]
    case 'reference':
      return [
        refusal(tenant, Prisma.sql`r.reference = ${query.tail}`),
        latestDecision(tenant, query.tail),
        site(tenant, Prisma.sql`s.name ilike all(${wordPatterns(query.text)})`),
      ]
    case 'sitekey':
      return [site(tenant, Prisma.sql`s.sitekey = ${query.sitekey}`)]
    case 'name':
      return [
        site(tenant, Prisma.sql`s.name ilike all(${wordPatterns(query.text)})`),
        hostname(tenant, query.text),
        refusedHost(tenant, query.text),
      ]
    case 'secret':
    case 'email':
      return []
  }
}

const decision = (tenant: Prisma.Sql, id: string): LookUp => [
  'decision.read',
  Prisma.sql`select 'decision' as kind, d.id, 'dec_' || replace(d.id::text, '-', '') as label,
    d.action || ' on ' || d.hostname as detail, d.redeemed_at as at
    from decision d where d.id = ${id}::uuid and d.tenant_id = ${tenant}`,
]

const latestDecision = (tenant: Prisma.Sql, tail: string): LookUp => [
  'decision.read',
  Prisma.sql`select 'decision' as kind, d.id, 'dec_' || replace(d.id::text, '-', '') as label,
    d.action || ' on ' || d.hostname as detail, d.redeemed_at as at
    from (
      select id, action, hostname, redeemed_at from decision where tenant_id = ${tenant}
      order by redeemed_at desc limit ${LATEST}
    ) d where right(d.id::text, 8) = ${tail}`,
]

const intent = (tenant: Prisma.Sql, id: string): LookUp => [
  'decision.read',
  Prisma.sql`select 'intent' as kind, i.id, i.id::text as label, i.action || ' on ' || i.hostname as detail, i.created_at as at
    from intent i where i.id = ${id}::uuid and i.tenant_id = ${tenant}
      and not exists (select 1 from decision d where d.id = i.id and d.tenant_id = i.tenant_id)`,
]

const grant = (tenant: Prisma.Sql, id: string): LookUp => [
  'grant.read',
  Prisma.sql`select 'grant' as kind, g.decision_id as id, g.id::text as label,
    'used ' || g.used || ' of ' || g.uses || ' times' as detail, g.created_at as at
    from captcha_grant g where g.id = ${id}::uuid and g.tenant_id = ${tenant}`,
]

const feedback = (tenant: Prisma.Sql, id: string): LookUp => [
  'feedback.read',
  Prisma.sql`select 'feedback' as kind, e.decision_id as id, e.event_id::text as label,
    replace(e.outcome::text, '_', ' ') || ', revision ' || e.revision as detail, e.created_at as at
    from feedback_event e where e.event_id = ${id}::uuid and e.tenant_id = ${tenant}`,
]

const refusal = (tenant: Prisma.Sql, where: Prisma.Sql): LookUp => [
  'refusal.read',
  Prisma.sql`select 'refusal' as kind, r.id, 'req_' || replace(r.id::text, '-', '') as label,
    r.endpoint || ' ' || case r.code when 'bad-field' then 'bad-request' else r.code end || coalesce(' ' || r.field, '') as detail,
    r.at from refusal r where ${where} and r.tenant_id = ${tenant}`,
]

const hostname = (tenant: Prisma.Sql, text: string): LookUp => [
  'hostname.read',
  Prisma.sql`select 'hostname' as kind, h.site_id, h.hostname as label, s.name as detail, h.created_at as at
    from hostname h join site s on s.id = h.site_id and s.tenant_id = h.tenant_id
    where h.tenant_id = ${tenant} and h.hostname ilike ${likePattern(text)}`,
]

const refusedHost = (tenant: Prisma.Sql, text: string): LookUp => [
  'refusal.read',
  Prisma.sql`select 'refused-host' as kind, null::uuid, r.hostname as label, 'refused ' || count(*) || ' times' as detail,
    max(r.at) as at
    from (
      select hostname, at from refusal where tenant_id = ${tenant} order by at desc limit ${LATEST}
    ) r where r.hostname ilike ${likePattern(text)} group by r.hostname`,
]

const site = (tenant: Prisma.Sql, where: Prisma.Sql): LookUp => [
  'site.read',
  Prisma.sql`select 'site' as kind, s.id, s.name as label, s.sitekey as detail, s.created_at as at
    from site s where s.tenant_id = ${tenant} and ${where}`,
]

import type { SeedContext, Sites } from './context.ts'
import { RELEASE } from './forms.ts'

/** How long refusals are kept. */
const KEPT_DAYS = 30

/**
 * Refused requests over the weeks: caused by visitors and attackers, hostnames that were not allowed, one of them of a release, and
 * a server that still uses the secret from before a rotation. Fills the temporary table `refused`, and stores its rows as
 * the service would have.
 */
export async function seedRefusals({ prisma }: SeedContext, { storefront, portal, fanClub }: Sites): Promise<void> {
  await prisma.$executeRaw`
    create temporary table refused (
      seed text, tenant_id uuid, site_id uuid, at timestamptz, endpoint text, code text, field text, hostname text,
      intent_id uuid, key_hint text
    ) on commit drop`
  await prisma.$executeRaw`
    insert into refused
    select v.seed || r.code, v.tenant_id, v.site_id, v.opened + make_interval(secs => r.after), r.endpoint, r.code, null,
      case when r.code = 'origin-not-allowed' then 'translate.example' end, v.id, null
    from visit v
    cross join lateral (values
      -- clients that guess and are rate-limited
      (v.hostile and pg_temp.roll(v.seed, 'guess') < 0.35, '/solve', 'solution-invalid', 2.0),
      (v.hostile and pg_temp.roll(v.seed, 'rush') < 0.25, '/challenge', 'rate-limited', 0.5),
      -- forms sent twice, forms left open, pages seen through a translator
      (v.redeemed is not null and not v.hostile and pg_temp.roll(v.seed, 'twice') < 0.012, '/siteverify', 'already-redeemed', 400),
      (v.redeemed is null and pg_temp.roll(v.seed, 'late') < 0.15, '/siteverify', 'intent-expired', 420),
      (pg_temp.roll(v.seed, 'translated') < 0.003, '/challenge', 'origin-not-allowed', 1)
    ) as r(happens, endpoint, code, after)
    where r.happens and v.opened + make_interval(secs => r.after) < now()`
  await prisma.$executeRaw`
    insert into refused
    select 'faults ' || f.code || f.ago || n, f.tenant, f.site, now() - make_interval(secs => f.ago - n * f.every),
      '/intents', f.code, f.field, f.hostname, null,
      case when f.code = 'unauthorized' then (
        select k.last4 from secret k where k.site_id = f.site and k.expires_at is not null order by k.expires_at limit 1) end
    from (values
      (${storefront.tenantId}::uuid, ${storefront.id}::uuid, ${RELEASE.hoursAgo}::float8 * 3600, ${RELEASE.everySeconds}::float8,
        ${RELEASE.brokenSeconds / RELEASE.everySeconds}::int, 'bad-field', 'hostname', ${RELEASE.hostname}),
      (${storefront.tenantId}::uuid, ${storefront.id}::uuid, 3 * 86400.0, 95.0, 38, 'bad-field', 'hostname', 'beta.demo.example'),
      (${fanClub.tenantId}::uuid, ${fanClub.id}::uuid, 12 * 86400.0, 40.0, 21, 'bad-field', 'nonce', null),
      (${portal.tenantId}::uuid, ${portal.id}::uuid, 4.9 * 86400.0, 3600.0, 117, 'unauthorized', null, null)
    ) as f(tenant, site, ago, every, times, code, field, hostname)
    cross join lateral generate_series(1, f.times) as n
    where f.ago - n * f.every > 0`
  await prisma.$executeRaw`
    insert into refusal (id, tenant_id, site_id, at, endpoint, code, field, hostname, intent_id, key_hint, reference)
    select id, tenant_id, site_id, at, endpoint, code, field, hostname, intent_id, key_hint, right(id::text, 8)
    from (select r.*, pg_temp.id_at(at, seed || 'refusal') as id from refused r) r
    where at > now() - make_interval(days => ${KEPT_DAYS}::int)
    order by at`
}

import type { SeedContext } from './context.ts'

/**
 * Some visitors who passed got a grant: used once or more, expired, revoked, or still active. Visitors with a grant skipped
 * the challenge.
 */
export async function seedGrants({ prisma }: SeedContext): Promise<void> {
  await prisma.$executeRaw`
    with given as (
      select v.*, pg_temp.id_at(v.redeemed + interval '1 second', v.seed || 'grant') as given_id,
        v.redeemed + interval '1 second' as given_at,
        case when v.opened > now() - interval '1 hour' then 3600
          when pg_temp.roll(v.seed, 'long') < 0.3 then 1800 else 900 end as ttl,
        1 + floor(3 * pg_temp.roll(v.seed, 'uses'))::int as uses
      from visit v
      where v.redeemed is not null and not v.hostile and v.action in ('checkout', 'login', 'reserve')
        and pg_temp.roll(v.seed, 'gives') < case when v.opened > now() - interval '1 hour' then 0.6 else 0.08 end
        and v.redeemed + interval '1 second' <= now()
    )
    insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, ttl_asked, uses_asked,
      solved_at, created_at, expires_at)
    select given_id, tenant_id, site_id, id,
      encode(sha256(convert_to(seed || 'session', 'UTF8')), 'hex'),
      uses, ttl, uses, solved, given_at,
      date_trunc('second', given_at) + make_interval(secs => ttl)
    from given`
  await prisma.$executeRaw`analyze captcha_grant`
  // the next visits of the site are by the same person: each opens an intent with the grant
  await prisma.$executeRaw`
    with candidate as (
      select distinct on (next.id) next.id, g.id as grant_id, g.uses, next.opened
      from captcha_grant g
      join visit giver on giver.id = g.decision_id
      cross join lateral (
        select v.id, v.opened from visit v
        where v.site_id = g.site_id and v.opened > g.created_at and v.opened < g.expires_at
          and v.redeemed is not null and not v.hostile
          and not exists (select 1 from captcha_grant other where other.decision_id = v.id)
        order by v.opened limit g.uses
      ) next
      where pg_temp.roll(giver.seed, 'returns') < 0.6
      order by next.id, g.created_at
    ), spent as (
      update visit v set grant_id = c.grant_id, challenged = null, solved = null, work = null,
        reasons = 0, network = null, mobile = null
      from candidate c where c.id = v.id
      returning v.grant_id
    )
    update captcha_grant g set used = s.n
      from (select grant_id, count(*)::int as n from spent group by 1) s where s.grant_id = g.id`
  // a log-out takes the exemption back
  await prisma.$executeRaw`
    update captcha_grant g set revoked_at = g.created_at + make_interval(secs => 60 + 600 * pg_temp.roll(v.seed, 'logout'))
    from visit v
    where v.id = g.decision_id and g.used = 0 and pg_temp.roll(v.seed, 'leaves') < 0.25
      and g.created_at + interval '660 seconds' < now()`
}

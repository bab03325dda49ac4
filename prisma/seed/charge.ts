import type { SeedContext } from './context.ts'

/**
 * Turns the redeemed visits into decisions, and charges each as `redeem` does: to the month's quota first,
 * then to the balance.
 */
export async function charge({ prisma }: SeedContext, tenants: string[]): Promise<void> {
  await prisma.$executeRaw`
    insert into quota_period (tenant_id, month, included)
    select t.id, m.month,
      -- the second tenant's quota was raised this month
      case when m.month = utc_month() then t.monthly_quota else coalesce(
        (select c.units_before from quota_change c where c.tenant_id = t.id), t.monthly_quota) end
    from tenant t
    join (select distinct tenant_id, date_trunc('month', redeemed at time zone 'utc')::date as month
      from visit where redeemed is not null) m
      on m.tenant_id = t.id
    on conflict do nothing`
  await prisma.$executeRaw`
    insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to,
      challenged_at, solved_at, work, work_reasons, network, mobile, grant_id)
    select v.id, v.tenant_id, v.site_id, v.action, v.hostname,
      decode(md5(v.seed || 'token'), 'hex'), decode(md5(v.seed || 'key'), 'hex'),
      v.redeemed,
      case when row_number() over (partition by v.tenant_id, q.month order by v.redeemed, v.id) <= q.included
        then 'quota' else 'balance' end::charged_to,
      v.challenged, v.solved, v.work, v.reasons, v.network, v.mobile, v.grant_id
    from visit v
    join quota_period q on q.tenant_id = v.tenant_id and q.month = date_trunc('month', v.redeemed at time zone 'utc')::date
    where v.redeemed is not null
    order by v.redeemed`
  await prisma.$executeRaw`
    update quota_period q set used = d.n
    from (
      select tenant_id, date_trunc('month', redeemed_at at time zone 'utc')::date as month, count(*) as n
      from decision where tenant_id = any(${tenants}::uuid[]) and charged_to = 'quota' group by 1, 2
    ) d
    where q.tenant_id = d.tenant_id and q.month = d.month`
  await prisma.$executeRaw`
    update balance b set units = b.units - d.n
    from (select tenant_id, count(*) as n from decision
      where tenant_id = any(${tenants}::uuid[]) and charged_to = 'balance' group by 1) d
    where b.tenant_id = d.tenant_id`
}

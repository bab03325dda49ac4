import type { SeedContext } from './context.ts'

/**
 * Feedback of the merchants: for most of the attack, and little of the rest. Some reports are corrected a day later, after
 * the customer has called.
 */
export async function seedFeedback({ prisma }: SeedContext): Promise<void> {
  await prisma.$executeRaw`
    with reported as (
      select v.*, pg_temp.roll(v.seed, 'verdict') as verdict,
        v.redeemed + make_interval(secs => 600 + 40000 * pg_temp.roll(v.seed, 'noticed')) as occurred
      from visit v
      where v.redeemed is not null and pg_temp.roll(v.seed, 'reported') < case when v.hostile then 0.65 else 0.025 end
    ), first as (
      select r.*, md5(r.seed || 'event 1')::uuid as event_id,
        r.occurred + make_interval(secs => 5 + 1800 * pg_temp.roll(r.seed, 'written')) as written,
        case when r.hostile or r.verdict < 0.4 then 'confirmed_abuse'
          when r.verdict < 0.85 then 'legitimate' else 'unknown'
          end::feedback_outcome as outcome,
        case when not r.hostile and r.verdict >= 0.4 then 'manual_review'
          when r.hostile then case when r.action = 'reserve' then 'ticket_resale' else 'card_testing' end
          when r.action in ('signup', 'contact') then 'spam_account'
          when r.action in ('login', 'password-reset') then 'account_takeover' else 'chargeback' end as business_type
      from reported r
    ), told as (
      insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome,
        business_type, occurred_at, created_at)
      select site_id, event_id, tenant_id, id, 1, outcome, business_type, occurred, written from first where written <= now()
      returning 1
    )
    insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome,
      business_type, occurred_at, supersedes, created_at)
    select site_id, md5(seed || 'event 2')::uuid, tenant_id, id, 2, 'legitimate', 'customer_called',
      written + interval '20 hours', event_id,
      written + interval '20 hours 3 minutes'
    from first
    where outcome = 'confirmed_abuse' and pg_temp.roll(seed, 'called') < case when hostile then 0.05 else 0.4 end
      and written + interval '20 hours 3 minutes' <= now()`
}

import type { SeedContext } from './context.ts'

/** Creates the intents of the last day, redeemed or not; older ones would have been deleted. */
export async function seedIntents({ prisma }: SeedContext): Promise<void> {
  await prisma.$executeRaw`
    insert into intent (id, tenant_id, site_id, nonce, action, hostname, session, subject, grant_id, created_at, expires_at)
    select v.id, v.tenant_id, v.site_id, md5(v.seed || 'nonce'), v.action, v.hostname,
      coalesce(spent.session, given.session,
        case when pg_temp.roll(v.seed, 'session') < 0.7
        then encode(sha256(convert_to(v.seed || 'session', 'UTF8')), 'hex') end),
      case when pg_temp.roll(v.seed, 'subject') < 0.5
        then encode(sha256(convert_to(v.seed || 'subject', 'UTF8')), 'hex') end,
      v.grant_id, v.opened, date_trunc('second', v.opened) + interval '300 seconds'
    from visit v
    left join captcha_grant spent on spent.id = v.grant_id
    left join captcha_grant given on given.decision_id = v.id
    where v.opened > now() - interval '1 day'
    order by v.opened`
}

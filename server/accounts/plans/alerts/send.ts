import type { Context } from '../../../kit/context.ts'
import { composeEmail } from '../../email.ts'
import { recipientsOf } from '../../members/recipients.ts'

type Due = {
  tenant_id: string
  name: string
  slug: string
  percent: number
  included: number
  used: number
  balance: number
}

type Sending = Pick<Context, 'prisma' | 'mail' | 'config' | 'log'>

/**
 * E-mails the owners, admins and billing contacts of each tenant that has reached one of the percentages of its plan that it
 * chose. Each percentage is sent once a month, even if several nodes run this at the same time; if several are reached
 * together, only the highest is sent. Alerts that no recipient received are retried at the next run. Returns how many tenants
 * were notified.
 */
export async function sendAlerts(ctx: Sending): Promise<number> {
  if (!ctx.mail.ready) return 0
  // claimed before it is sent: a late alert is better than one that is sent twice
  const due = await ctx.prisma.$queryRaw<Due[]>`
    with reached as (
      update usage_alert a set sent_month = utc_month()
      from quota_period q, tenant t
      where q.tenant_id = a.tenant_id and q.month = utc_month() and q.included > 0 and q.used * 100 >= q.included * a.percent
        and t.id = a.tenant_id and t.deleted_at is null and a.sent_month is distinct from utc_month()
      returning a.tenant_id, t.name, t.slug, a.percent, q.included, q.used
    )
    select distinct on (r.tenant_id) r.tenant_id::text, r.name, r.slug, r.percent, r.included::float8 as included, r.used::float8 as used,
      coalesce(b.units, 0)::float8 as balance
    from reached r left join balance b on b.tenant_id = r.tenant_id
    order by r.tenant_id, r.percent desc`
  let notified = 0
  for (const alert of due) {
    if (await notify(ctx, alert)) notified += 1
    else
      await ctx.prisma.usageAlert.updateMany({
        where: { tenantId: alert.tenant_id, percent: alert.percent },
        data: { sentMonth: null },
      })
  }
  return notified
}

/** Returns whether the alert is done: at least one person received the e-mail, or there is no recipient. */
async function notify({ prisma, mail, config, log }: Sending, alert: Due): Promise<boolean> {
  const recipients = await recipientsOf({ prisma }, alert.tenant_id, ['owner', 'admin', 'billing'])
  let failed = 0
  for (const to of recipients) {
    try {
      await mail.send(alertEmail(config.publicUrl, to, alert))
    } catch (err) {
      failed += 1
      log.warn({ err, tenant: alert.tenant_id }, 'a usage alert could not be sent')
    }
  }
  return failed === 0 || failed < recipients.length
}

const number = new Intl.NumberFormat('en')

function alertEmail(publicUrl: string, to: string, { name, slug, percent, included, used, balance }: Due) {
  const gone = used >= included
  return composeEmail({
    to,
    subject: gone ? `${name} has used up its plan` : `${name} has reached ${percent}% of its plan`,
    paragraphs: [
      `${name} has used ${number.format(used)} of its ${number.format(included)} units this month.`,
      !gone
        ? 'Verifications continue to work until all units are used up.'
        : balance > 0
          ? `Each further verification uses one unit of the balance. ${number.format(balance)} units are left.`
          : 'The balance is empty. New intents are refused with quota-exceeded until units are added.',
    ],
    link: { label: 'See usage', url: `${publicUrl}/o/${slug}/usage` },
    ending:
      'You are receiving this e-mail as an owner, admin or billing contact of this tenant. It is sent at most once a month for each percentage.',
  })
}

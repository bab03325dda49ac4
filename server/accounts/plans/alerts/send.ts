import type { Context } from '../../../kit/context.ts'
import { type Db, transact } from '../../../kit/db/transact.ts'
import { enqueueEmails } from '../../../kit/queue/email.ts'
import { composeEmail } from '../../email.ts'
import { recipientsOf } from '../../members/recipients.ts'
import { emitEvent } from '../../webhooks/emit.ts'

type Due = {
  tenant_id: string
  month: string
  name: string
  slug: string
  percent: number
  included: number
  used: number
  balance: number
}

/**
 * E-mails the owners, admins and billing contacts of each tenant, and calls its webhooks, if it has reached one of the percentages of its quota that it
 * chose. Each percentage is sent once a month, even if several nodes run this at the same time; if several are reached
 * together, only the highest is sent.
 */
export async function sendAlerts(ctx: Pick<Context, 'prisma' | 'mail' | 'config' | 'keyring'>): Promise<void> {
  await transact(ctx, async (ctx) => {
    const due = new Map((await claimDue(ctx)).map((alert) => [alert.tenant_id, alert]))
    for (const { tenant_id, month, percent, included, used, balance } of due.values())
      await emitEvent(ctx, tenant_id, 'quota.threshold_reached', { month, percent, included, used, balance })
    const recipients = await recipientsOf(ctx, [...due.keys()], ['owner', 'admin', 'billing'])
    const emails = recipients.flatMap(({ tenantId, email }) => {
      const alert = due.get(tenantId)
      return alert ? [{ ...alertEmail(ctx.config.publicUrl, email, alert), tenant: tenantId }] : []
    })
    await enqueueEmails(ctx, emails)
  })
}

const claimDue = ({ prisma }: Db): Promise<Due[]> =>
  prisma.$queryRaw<Due[]>`
    with reached as (
      update usage_alert a set sent_month = utc_month()
      from quota_period q, tenant t
      where q.tenant_id = a.tenant_id and q.month = utc_month() and q.included > 0 and q.used * 100 >= q.included * a.percent
        and t.id = a.tenant_id and t.deleted_at is null and a.sent_month is distinct from utc_month()
      returning a.tenant_id, q.month, t.name, t.slug, a.percent, q.included, q.used
    )
    select distinct on (r.tenant_id) r.tenant_id::text, r.month::text as month, r.name, r.slug, r.percent, r.included::float8 as included, r.used::float8 as used,
      coalesce(b.units, 0)::float8 as balance
    from reached r left join balance b on b.tenant_id = r.tenant_id
    order by r.tenant_id, r.percent desc`

const number = new Intl.NumberFormat('en')

function alertEmail(publicUrl: string, to: string, { name, slug, included, used, balance }: Due) {
  const gone = used >= included
  return composeEmail({
    to,
    subject: gone
      ? `${name} has used up its monthly quota`
      : `${name} has used ${Math.floor((used * 100) / included)}% of its monthly quota`,
    paragraphs: [
      `${name} has used ${number.format(used)} of the ${number.format(included)} units of its monthly quota.`,
      !gone
        ? balance > 0
          ? `When they are used up, each further verification uses one unit of the balance, which has ${number.format(balance)} prepaid ${balance === 1 ? 'unit' : 'units'}.`
          : 'Verifications continue to work until all units are used up.'
        : balance > 0
          ? `Each further verification uses one unit of the balance. ${number.format(balance)} units are left.`
          : 'The balance is empty. New intents are refused with quota-exceeded until units are added.',
    ],
    link: { label: 'See usage', url: `${publicUrl}/o/${slug}/usage` },
    ending:
      'You are receiving this e-mail as an owner, admin or billing contact of this tenant. It is sent at most once a month for each percentage.',
  })
}

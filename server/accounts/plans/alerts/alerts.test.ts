import { expect, test } from 'vitest'
import type { SignedIn } from '../../../../test/support/browser.ts'
import { type MadeTenant, makeMember, makeTenant } from '../../../../test/support/tenant.ts'
import { testApp } from '../../../../test/support/testApp.ts'
import { openReceiver, sendWebhooks } from '../../../../test/support/webhooks.ts'
import { sendAlerts } from './send.ts'

const app = testApp({ WEBHOOKS_ALLOW: '127.0.0.0/8' })
let tenant: MadeTenant
let owner: SignedIn

async function arrange() {
  tenant = await makeTenant(app)
  owner = await makeMember(app, tenant, 'owner')
  await makeMember(app, tenant, 'viewer')
}
const use = (included: number, used: number) =>
  app.sql.query(
    `insert into quota_period (tenant_id, month, included, used) values ($1, utc_month(), $2, $3)
     on conflict (tenant_id, month) do update set included = $2, used = $3`,
    [tenant.id, included, used],
  )
const alertEmails = async () => (await app.emails()).filter(({ text }) => text.includes(`/o/${tenant.slug}/usage`))

test('sends one e-mail per percentage to the billing contacts, even if several nodes run at once', async () => {
  await arrange()
  await use(100, 79)
  await sendAlerts(app.ctx)
  expect(await alertEmails()).toEqual([])
  await use(100, 80)
  await Promise.all([1, 2, 3, 4].map(() => sendAlerts(app.ctx)))
  await sendAlerts(app.ctx)
  expect((await alertEmails()).map(({ to, subject }) => [to, subject])).toEqual([
    [owner.email, expect.stringMatching(/ has used 80% of its monthly quota$/)],
  ])
  await use(100, 100)
  await sendAlerts(app.ctx)
  expect(await alertEmails()).toHaveLength(2)
  expect((await alertEmails())[0]?.subject).toMatch(/ has used up its monthly quota$/)
})

test('sends only the highest of several percentages reached, and starts again in a new month', async () => {
  await arrange()
  await use(100, 120)
  await sendAlerts(app.ctx)
  await sendAlerts(app.ctx)
  expect((await alertEmails()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/used up its monthly quota$/),
  ])
  await app.sql.query("update usage_alert set sent_month = sent_month - interval '1 month' where tenant_id = $1", [
    tenant.id,
  ])
  await sendAlerts(app.ctx)
  expect(await alertEmails()).toHaveLength(2)
})

test('the subject says what is used, rounded down, and the webhook event which percentage was reached', async () => {
  await arrange()
  const { url, received } = await openReceiver()
  const types = ['quota.threshold_reached']
  await owner.mutate('webhooks.create', { tenant: tenant.slug, url, types })
  await use(1000, 987)
  await sendAlerts(app.ctx)
  expect((await alertEmails()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/ has used 98% of its monthly quota$/),
  ])
  await sendWebhooks(app)
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([{ data: { percent: 80, used: 987 } }])
})

test('before the quota is used up, the e-mail says how many prepaid units follow', async () => {
  await arrange()
  await use(100, 90)
  await app.sql.query('update balance set units = 12869 where tenant_id = $1', [tenant.id])
  await sendAlerts(app.ctx)
  const [email] = await alertEmails()
  expect(email?.text).toContain(
    'each further verification uses one unit of the balance, which has 12,869 prepaid units.',
  )
  expect(email?.text).not.toContain('until all units are used up')
})

test('a member whom the tenant locks out until they have a second factor gets none', async () => {
  await arrange()
  const { email } = await makeMember(app, tenant, 'billing')
  await app.sql.query('update tenant set require_2fa = true where id = $1', [tenant.id])
  await app.sql.query('update "user" set two_factor_enabled = true where email = $1', [email])
  await use(100, 100)
  await sendAlerts(app.ctx)
  expect((await alertEmails()).map(({ to }) => to)).toEqual([email])
})

test('the percentages can be chosen, with an audit row', async () => {
  await arrange()
  expect((await owner.query('usage.alerts', { tenant: tenant.slug })).data).toEqual([80, 100])
  await owner.mutate('usage.setAlerts', { tenant: tenant.slug, percents: [90, 50] })
  expect((await owner.query('usage.alerts', { tenant: tenant.slug })).data).toEqual([50, 90])
  const rows = await app.rows('select before, after from audit_event where tenant_id = $1 and action = $2', [
    tenant.id,
    'usage.set_alerts',
  ])
  expect(rows).toEqual([{ before: { percents: [80, 100] }, after: { percents: [50, 90] } }])
  await use(100, 85)
  await sendAlerts(app.ctx)
  expect((await alertEmails())[0]?.subject).toMatch(/ has used 85% of its monthly quota$/)
})

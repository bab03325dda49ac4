import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newNonce } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { openReceiver, sendWebhooks } from '../../../test/support/webhooks.ts'
import { written } from '../../../test/support/written.ts'
import { announceIncidents } from '../../captcha/incidents/announce.ts'
import { CHOSEN_TYPES, EVENT_TYPES } from '../../contract/webhooks.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { admitOperator } from '../access.ts'
import { sendAlerts } from '../plans/alerts/send.ts'
import { restoreTenant, suspendTenant } from '../staff/suspend.ts'
import { watchMistakes, watchWebhooks } from './watch.ts'

const app = testApp({ WEBHOOKS_ALLOW: '127.0.0.0/8' })
const made = setUp(() => makeOwnedTenant(app))

type Event = { type: keyof typeof EVENT_TYPES; timestamp: string; tenant: string; data: Record<string, unknown> }

const DOCUMENTED = readFileSync('docs/webhooks.md', 'utf8')
/** The body and the rows of `data` in the documentation. */
const [BODY] = [...DOCUMENTED.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as Event)
const EXAMPLES = [...DOCUMENTED.matchAll(/^\| `([a-z_.]+)` \| .* \| `({.*})` \|$/gm)].map(([, type, data = '']) => ({
  ...BODY,
  type,
  data: JSON.parse(data) as object,
}))

/** Names and types of all values. */
const shapeOf = (value: unknown): unknown =>
  value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item)]))
    : typeof value === 'string' && /^[\da-f-]{36}$/.test(value)
      ? 'uuid'
      : typeof value

test('every event of the documentation is sent in the form of its example, once however often the jobs run', async () => {
  const { url, received } = await openReceiver()
  const { tenant, owner } = made
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const at = { tenant: tenant.slug, site: site.siteId }
  const webhook = (await owner.mutate('webhooks.create', { tenant: tenant.slug, url, types: CHOSEN_TYPES })).data as {
    id: string
  }
  await app.sql.query("update tenant set created_at = created_at - interval '40 days' where id = $1", [tenant.id])
  const operator = admitOperator(app.ctx, 'test')
  const intent = (secret: string, nonce: string, action = 'a') =>
    app.client.post('/intents', { action, nonce, hostname: 'shop.example' }, { authorization: `Bearer ${secret}` })

  const incident = newId()
  await app.ctx.prisma.incident.create({
    data: {
      id: incident,
      tenantId: tenant.id,
      siteId: site.siteId,
      kind: 'refusals',
      startedAt: new Date(),
      seenAt: new Date(),
      peak: 60,
      usual: 0,
      networks: 0,
      workFrom: 64,
      workTo: 64,
      honestWork: 64,
    },
  })
  await announceIncidents(app.ctx)
  await app.sql.query('update incident set ended_at = now() where id = $1', [incident])
  // the nonce is used for another intent, and the secret after its end
  const nonce = newNonce()
  await intent(site.secret, nonce)
  await intent(site.secret, nonce, 'b')
  await owner.mutate('secrets.rotate', { ...at, overlap: 0 })
  await expect.poll(async () => (await intent(site.secret, newNonce())).status).toBe(401)
  await written(app)
  await app.sql.query(
    'insert into quota_period (tenant_id, month, included, used) values ($1, utc_month(), 100, 120) on conflict (tenant_id, month) do update set included = 100, used = 120',
    [tenant.id],
  )
  await owner.mutate('sites.pause', at)
  await owner.mutate('sites.pause', at)
  await owner.mutate('sites.resume', at)
  await suspendTenant(operator, { tenant: tenant.slug, reason: 'unpaid bills', confirm: tenant.slug })
  await restoreTenant(operator, { tenant: tenant.slug, reason: 'paid bills' })
  await owner.mutate('webhooks.test', { tenant: tenant.slug, id: webhook.id })
  for (let run = 0; run < 2; run++)
    await Promise.all([
      announceIncidents(app.ctx),
      sendAlerts(app.ctx),
      watchWebhooks(app.ctx, { firstDays: 31 }),
      watchMistakes(app.ctx),
    ])
  await sendWebhooks(app)

  const events = received.map(({ body }) => JSON.parse(body) as Event)
  const once = events.filter(({ type, data }) => type !== 'mistake.found' || data['mistake'] === 'reused-nonce')
  expect(once.map(({ type }) => type).toSorted()).toEqual(Object.keys(EVENT_TYPES).toSorted())
  for (const example of EXAMPLES)
    expect(shapeOf(once.find(({ type }) => type === example.type))).toEqual(shapeOf(example))
  expect(EXAMPLES.map(({ type }) => type).toSorted()).toEqual(Object.keys(EVENT_TYPES).toSorted())
  for (const { tenant: id } of events) expect(id).toBe(tenant.id)
  for (const text of [owner.email, '127.0.0', 'shop.example', site.secret, nonce, 'unpaid'])
    expect(JSON.stringify(events)).not.toContain(text)
  const mistakes = events.filter(({ type }) => type === 'mistake.found').map(({ data }) => data['mistake'])
  expect(new Set(mistakes).size).toBe(mistakes.length)
})

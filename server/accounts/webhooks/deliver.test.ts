import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { openReceiver, type Received, sendWebhooks } from '../../../test/support/webhooks.ts'
import { startJobs } from '../../jobs.ts'
import { createKeyring } from '../../kit/crypto/keyring.ts'
import { transact } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import type { DeliveryRow } from './deliveries.ts'
import { emitEvent } from './emit.ts'
import type { WebhookView } from './endpoints.ts'
import { resealSecrets, signatures } from './secret.ts'
import { sweepWebhooks } from './sweep.ts'
import { watchWebhooks } from './watch.ts'

const app = testApp({ WEBHOOKS_ALLOW: '127.0.0.0/8' })
const made = setUp(() => makeOwnedTenant(app))
const SITE = '019ab0c5-0000-7000-8000-000000000003'

type Made = WebhookView & { secret: string }
const procedures = {
  call: async (verb: string, input: object) =>
    (await made.owner.mutate(`webhooks.${verb}`, { tenant: made.tenant.slug, ...input })).data as Made,
  ask: async (verb: string, input: object) =>
    (await made.owner.query(`webhooks.${verb}`, { tenant: made.tenant.slug, ...input })).data,
}
const create = (url: string) => procedures.call('create', { url, types: ['site.paused'] })
const emit = () => emitEvent(app.ctx, made.tenant.id, 'site.paused', { site: SITE })
const deliveriesOf = async ({ id }: { id: string }) =>
  ((await procedures.ask('deliveries', { id })) as { rows: DeliveryRow[] }).rows
const send = () => sendWebhooks(app)
const dueNow = () => app.sql.query('update graphile_worker._private_jobs set run_at = now()')
const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

test('an event is sent once it is committed, signed as the specification says, and not if it rolls back', async () => {
  const { url, received } = await openReceiver()
  const { id, secret } = await create(`${url}/hooks`)
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const failing = transact(app.ctx, async (ctx) => {
    await emitEvent(ctx, made.tenant.id, 'site.paused', { site: SITE })
    throw new AppError('site-not-found', {})
  })
  await expect(failing).rejects.toThrow(AppError)
  await transact(app.ctx, (ctx) => emitEvent(ctx, made.tenant.id, 'site.paused', { site: SITE }))
  await send()
  expect(received.map(({ path }) => path)).toEqual(['/hooks'])
  const [request] = received as [Received]
  expect(verify(secret, request)).toMatchObject({
    type: 'site.paused',
    tenant: made.tenant.id,
    data: { site: SITE },
  })
  expect(() => verify(secret, { ...request, body: request.body.replace('paused', 'resumed') })).toThrow('signature')
  expect(await deliveriesOf({ id })).toMatchObject([
    {
      event: request.headers['webhook-id'],
      state: 'delivered',
      attempts: 1,
      nextAt: null,
      request: { body: request.body, signature: request.headers['webhook-signature'] },
      reply: { status: 200, body: 'thanks' },
    },
  ])
  expect(JSON.stringify(await app.rows('select * from webhook_endpoint'))).not.toContain(secret.slice(6))
})

test('a failed delivery is repeated ten times with the same id, at the pauses of the docs, and can be sent again', async () => {
  const { url, received } = await openReceiver((_, response) => response.writeHead(500).end('no'))
  const { id } = await create(url)
  await emit()
  const pauses: number[] = []
  for (let attempt = 0; attempt < 10; attempt++) {
    await send()
    const rows = await app.rows<{ pause: number | null }>(
      `select extract(epoch from next_at - attempted_at)::float8 as pause from webhook_delivery where endpoint_id = $1`,
      [id],
    )
    pauses.push(...rows.flatMap(({ pause }) => pause ?? []))
    await dueNow()
  }
  await send()
  const hours = [2, 5, 10, 14, 20, 24].map((h) => h * 3600)
  const least = [5, 300, 1800, ...hours]
  expect(pauses.map((pause, i) => pause >= (least[i] ?? 0) && pause <= 1.1 * (least[i] ?? 0))).toEqual(
    least.map(() => true),
  )
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(received).toHaveLength(10)
  const [failed] = await deliveriesOf({ id })
  expect(failed).toMatchObject({ state: 'failed', attempts: 10, reply: { status: 500, body: 'no' } })
  await procedures.call('resend', { id, delivery: failed?.id })
  await send()
  expect(received).toHaveLength(11)
  expect(await deliveriesOf({ id })).toMatchObject([{ state: 'retrying', attempts: 1 }])
})

test('five days without a success disable an endpoint, with an e-mail to owners and admins; one success starts anew', async () => {
  let status = 500
  const { url, received } = await openReceiver((_, response) => response.writeHead(status).end())
  const { id } = await create(url)
  const admin = await makeMember(app, made.tenant, 'admin')
  const pass = (interval: string) =>
    app.sql.query(`update webhook_endpoint set failing_since = failing_since - $1::interval where id = $2`, [
      interval,
      id,
    ])
  const tryAgain = async () => {
    await emit()
    await dueNow()
    await send()
  }
  await tryAgain()
  await pass('4 days 23 hours')
  status = 204
  await tryAgain()
  status = 500
  await tryAgain()
  await pass('4 days 23 hours')
  await tryAgain()
  expect(await procedures.ask('get', { id })).toMatchObject({ enabled: true })
  await pass('2 hours')
  await tryAgain()
  expect(await procedures.ask('get', { id })).toMatchObject({ enabled: false, disabled: 'failures' })
  const mails = (await app.emails()).filter(({ text }) => text.includes(`/settings/webhooks/${id}`))
  expect(mails.map(({ to }) => to).toSorted()).toEqual([made.owner.email, admin.email].toSorted())
  const sent = received.length
  await tryAgain()
  expect(received).toHaveLength(sent)
  expect((await deliveriesOf({ id })).filter(({ nextAt }) => nextAt !== null)).toEqual([])
  status = 200
  await procedures.call('update', { id, enabled: true })
  await tryAgain()
  expect(await procedures.ask('get', { id })).toMatchObject({ enabled: true, disabled: null, failingSince: null })
})

test('for 24 hours after a rotation both secrets verify, then only the new one', async () => {
  const { url, received } = await openReceiver()
  const { id, secret } = await create(url)
  const rotated = await procedures.call('rotate', { id })
  await emit()
  await send()
  const [during] = received as [Received]
  for (const each of [secret, rotated.secret]) expect(verify(each, during)).toMatchObject({ type: 'site.paused' })
  await app.sql.query('update webhook_endpoint set former_until = now() where id = $1', [id])
  await emit()
  await send()
  const [, after] = received as [Received, Received]
  expect(() => verify(secret, after)).toThrow('signature')
  expect(verify(rotated.secret, after)).toMatchObject({ type: 'site.paused' })
})

test('a start re-encrypts both secrets with the current sealing key, so that the former one can be removed', async () => {
  const { url } = await openReceiver()
  const { id, secret } = await create(url)
  const rotated = await procedures.call('rotate', { id })
  const next = { id: 'next', key: randomBytes(32) }
  const keyring = createKeyring([next, ...app.ctx.keyring.byId.values()])
  await resealSecrets({ prisma: app.ctx.prisma, keyring })
  const row = await app.ctx.prisma.webhookEndpoint.findFirstOrThrow({ where: { id } })
  const at = new Date()
  const signed = { endpoint: id, event: 'e', body: '{}', at }
  const both = [rotated.secret, secret].map((each) => new Webhook(each).sign('e', at, '{}')).join(' ')
  expect(signatures(createKeyring([next]), signed, [row.secret, row.formerSecret ?? ''])).toBe(both)
  await procedures.call('delete', { id })
})

test('an endpoint whose address became private is not called', async () => {
  const { url, received } = await openReceiver()
  const { id } = await create(url)
  await app.sql.query('update webhook_endpoint set url = $1 where id = $2', [
    url.replace('127.0.0.1', 'hook.example'),
    id,
  ])
  await emit()
  await sendWebhooks(app, async () => ['10.0.0.1'])
  expect(received).toEqual([])
  expect((await deliveriesOf({ id }))[0]?.reply).toMatchObject({
    status: null,
    body: expect.stringMatching(/no public address/),
  })
})

test('a server that hangs delays neither another endpoint nor e-mail', async () => {
  const held: (() => void)[] = []
  let isReleased = false
  const slow = await openReceiver((_, response) => (isReleased ? response.end() : held.push(() => response.end())))
  const fast = await openReceiver()
  await create(slow.url)
  for (let i = 0; i < 10; i++) await emit()
  const other = await makeOwnedTenant(app)
  const input = { tenant: other.tenant.slug, url: fast.url, types: ['site.paused'] }
  await other.owner.mutate('webhooks.create', input)
  await emitEvent(app.ctx, other.tenant.id, 'site.paused', { site: SITE })
  await app.sql.query("select graphile_worker.add_job('send_email', '{}')")
  const jobs = await startJobs(app.opened)
  try {
    await expect.poll(() => slow.received.length, { timeout: 10_000 }).toBe(1)
    await expect.poll(() => fast.received.length, { timeout: 10_000 }).toBe(1)
    const email = () =>
      app.rows("select from graphile_worker.jobs where task_identifier = 'send_email' and attempts > 0")
    await expect.poll(async () => (await email()).length, { timeout: 10_000 }).toBe(1)
    // the first request is still open, and no other was made
    expect(slow.received).toHaveLength(1)
  } finally {
    isReleased = true
    for (const release of held) release()
    await jobs.close()
  }
})

test('a node that ends between the commit and the reply loses nothing', async () => {
  const { url, received } = await openReceiver()
  const { id } = await create(url)
  await emit()
  // as a killed process leaves it: taken by a worker, which made an attempt or not
  await app.sql.query(
    `update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now() - interval '2 minutes', attempts = 1`,
  )
  await app.sql.query(
    `update graphile_worker._private_job_queues set locked_by = 'killed', locked_at = now() - interval '2 minutes'`,
  )
  await send()
  expect(received).toHaveLength(0)
  await watchWebhooks(app.ctx)
  await send()
  expect(received).toHaveLength(1)
  // the process that was thought dead stores nothing twice
  await app.sql.query(
    "select graphile_worker.add_job('send_webhook', json_build_object('delivery', id, 'tenant', tenant_id)) from webhook_delivery where endpoint_id = $1",
    [id],
  )
  await send()
  expect(received).toHaveLength(1)
})

test('an endpoint is deleted while its deliveries are being stored', async () => {
  const { url } = await openReceiver((_, response) => response.writeHead(500).end())
  for (let i = 0; i < 5; i++) {
    const { id } = await create(url)
    await emit()
    const [, deleted] = await Promise.all([
      send(),
      made.owner.mutate('webhooks.delete', { tenant: made.tenant.slug, id }),
    ])
    expect(deleted.status).toBe(200)
  }
})

test('the last 200 deliveries of 30 days are kept, and those that are still due', async () => {
  const { id } = await create('http://127.0.0.1:9/')
  for (let i = 0; i < 3; i++) await emit()
  await app.sql.query(
    `insert into webhook_delivery (id, tenant_id, endpoint_id, event_id)
     select gen_random_uuid(), tenant_id, endpoint_id, event_id from webhook_delivery, generate_series(1, 100) where endpoint_id = $1`,
    [id],
  )
  expect(await sweepWebhooks(app.ctx)).toBeGreaterThanOrEqual(100)
  await app.sql.query("update webhook_delivery set created_at = now() - interval '31 days' where endpoint_id = $1", [
    id,
  ])
  await sweepWebhooks(app.ctx)
  expect(await app.rows('select from webhook_delivery where endpoint_id = $1 and next_at is null', [id])).toEqual([])
  expect(await app.rows('select from webhook_delivery where endpoint_id = $1', [id])).toHaveLength(3)
})

test('refuses URLs that may not be called, more than 10 webhooks, and tests of a disabled one', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const call = (verb: string, input: object) => owner.mutate(`webhooks.${verb}`, { tenant: tenant.slug, ...input })
  const types = ['site.paused']
  for (const [url, reason] of [
    ['https://169.254.169.254/', 'webhook-url-refused'],
    ['https://[::ffff:10.0.0.1]/', 'webhook-url-refused'],
    ['https://167772161/', 'webhook-url-refused'],
    ['http://1.1.1.1/', 'webhook-url-invalid'],
    ['https://user:word@1.1.1.1/', 'webhook-url-invalid'],
    ['file:///etc/passwd', 'webhook-url-invalid'],
    ['nothing', 'webhook-url-invalid'],
  ])
    expect(await call('create', { url, types })).toMatchObject({ reason })
  for (let i = 0; i < 10; i++)
    expect(await call('create', { url: 'https://1.1.1.1/#a', types })).toMatchObject({
      data: { url: 'https://1.1.1.1/' },
    })
  const tenth = await call('create', { url: 'https://1.1.1.1/', types })
  expect(tenth.reason).toBe('too-many-webhooks')
  type List = { rows: WebhookView[]; nextCursor: string | null }
  const list = async (page: object) =>
    (await owner.query('webhooks.list', { tenant: tenant.slug, ...page })).data as List
  const { rows, nextCursor } = await list({ limit: 6 })
  const rest = await list({ limit: 6, cursor: nextCursor })
  expect([new Set([...rows, ...rest.rows].map(({ id }) => id)).size, rest.nextCursor]).toEqual([10, null])
  await call('update', { id: rows[0]?.id, enabled: false })
  expect((await call('test', { id: rows[0]?.id })).reason).toBe('webhook-disabled')
  await call('delete', { id: rows[0]?.id })
  expect((await call('test', { id: rows[0]?.id })).reason).toBe('webhook-not-found')
  const audit = await app.rows(
    "select distinct action from audit_event where tenant_id = $1 and action like 'webhook.%' order by 1",
    [tenant.id],
  )
  expect(audit.map(({ action }) => action as string)).toEqual(['webhook.create', 'webhook.delete', 'webhook.update'])
})

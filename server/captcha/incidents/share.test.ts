import { expect, test } from 'vitest'
import { createBrowser } from '../../../test/support/browser.ts'
import { makeDecisions } from '../../../test/support/decisions.ts'
import { makeIncident } from '../../../test/support/incident.ts'
import { makeSite } from '../../../test/support/make.ts'
import { type MadeMember, makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import type { SharedIncident } from './share.ts'

const app = testApp()

async function makeShared() {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id, hostnames: ['secret-host.example'] })
  const id = await makeIncident(app, site, {
    action: 'secret-action',
    hostname: 'secret-host.example',
    cause: '/intents bad-field secret_field',
  })
  await makeDecisions(app, site, [{ ago: 3000, action: 'secret-action', hostname: 'secret-host.example' }])
  return { tenant, owner, site, id }
}

const open = (token: string) => createBrowser(app).query('incidents.shared', { token })
const share = async (by: MadeMember, tenant: string, id: string) => by.mutate('incidents.share', { tenant, id })
const tokenOf = (reply: { data?: unknown }) => (reply.data as { token: string }).token

test('anyone with the link sees the figures, and no host, site, action, tenant or charge', async () => {
  const { tenant, owner, site, id } = await makeShared()
  const shared = await open(tokenOf(await share(owner, tenant.slug, id)))
  const { phases, ...figures } = shared.data as SharedIncident
  expect(figures).toMatchObject({ kind: 'refusals', peak: 90, subject: 'Refused requests' })
  expect(phases).toMatchObject([{ name: 'before' }, { name: 'during', completed: 1, charged: 0 }, { name: 'after' }])
  const text = JSON.stringify(shared)
  for (const secret of ['secret', id, site.siteId, tenant.id, tenant.slug, 'Test']) expect(text).not.toContain(secret)
})

test('an ended link, an earlier one, an unknown one and one of a deleted tenant show nothing', async () => {
  const { tenant, owner, id } = await makeShared()
  const first = tokenOf(await share(owner, tenant.slug, id))
  const second = tokenOf(await share(owner, tenant.slug, id))
  expect((await open(second)).status).toBe(200)
  const unknown = await open('0'.repeat(32))
  expect(unknown).toMatchObject({ status: 404, reason: 'incident-not-found' })
  expect(await open(first)).toEqual(unknown)
  expect(await open(id)).toEqual(unknown)
  await app.sql.query('update tenant set deleted_at = now() where id = $1', [tenant.id])
  expect(await open(second)).toEqual(unknown)
  await app.sql.query('update tenant set deleted_at = null where id = $1', [tenant.id])
  await owner.mutate('incidents.unshare', { tenant: tenant.slug, id })
  expect(await open(second)).toEqual(unknown)
})

test('only owners and admins share, only their own incidents, and the audit has it without the token', async () => {
  const { tenant, owner, id } = await makeShared()
  const other = await makeOwnedTenant(app)
  expect((await share(other.owner, other.tenant.slug, id)).reason).toBe('incident-not-found')
  const developer = await makeMember(app, tenant, 'developer')
  expect((await share(developer, tenant.slug, id)).status).toBe(403)
  const token = tokenOf(await share(owner, tenant.slug, id))
  expect((await owner.query('incidents.get', { tenant: tenant.slug, id })).data).toMatchObject({ shareToken: token })
  expect((await developer.query('incidents.get', { tenant: tenant.slug, id })).data).toMatchObject({ shareToken: null })
  await owner.mutate('incidents.unshare', { tenant: tenant.slug, id })
  const { rows } = await app.sql.query<object>(
    "select action, target, before, after from audit_event where tenant_id = $1 and action like 'incident.%' order by seq",
    [tenant.id],
  )
  expect(rows).toMatchObject([
    { action: 'incident.share', target: id },
    { action: 'incident.unshare', target: id },
  ])
  expect(JSON.stringify(rows)).not.toContain(token)
})

import { expect, test } from 'vitest'
import { makeSite } from '../../../../test/support/make.ts'
import { makeOwnedTenant } from '../../../../test/support/tenant.ts'
import { testApp } from '../../../../test/support/testApp.ts'

const app = testApp()

test('a hostname is added once, and adding it again changes nothing and is not in the audit', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const { siteId: site } = await makeSite(app.ctx, { tenantId: tenant.id })
  const add = async () =>
    (await owner.mutate('hostnames.add', { tenant: tenant.slug, site, hostname: 'www.shop.example' })).data
  expect(await add()).toMatchObject({ hostname: 'www.shop.example', added: true })
  expect(await add()).toMatchObject({ hostname: 'www.shop.example', added: false })
  const { rows } = await app.sql.query(
    "select after from audit_event where tenant_id = $1 and action = 'hostname.add'",
    [tenant.id],
  )
  expect(rows).toEqual([{ after: { hostname: 'www.shop.example' } }])
})

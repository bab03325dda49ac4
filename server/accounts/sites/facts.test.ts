import { expect, test, vi } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { findSite } from './facts.ts'
import { verifySecret } from './secrets/verify.ts'

const app = testApp()

test('sites that are looked up at the same moment share a statement, and each gets its own facts', async () => {
  const sites = await Promise.all(Array.from({ length: 8 }, () => makeSite(app.ctx)))
  const statements = vi.spyOn(app.ctx.hotPool, 'query')
  const unknown = `tg_site_${'x'.repeat(20)}`
  const found = await Promise.all(
    [unknown, ...sites.map(({ sitekey }) => sitekey)].map((key) => findSite(app.ctx, key)),
  )
  expect(found.map((facts) => facts?.id)).toEqual([undefined, ...sites.map(({ siteId }) => siteId)])
  const verified = await Promise.all(sites.map(({ secret }) => verifySecret(app.ctx, secret)))
  expect(verified.map((facts) => facts?.id)).toEqual(sites.map(({ siteId }) => siteId))
  const names = statements.mock.calls.map(([{ name }]) => name)
  expect(names.filter((name) => name.startsWith('site_'))).toEqual(['site_by_sitekey', 'site_by_secret'])
})

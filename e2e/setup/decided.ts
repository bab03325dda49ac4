import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { createTestClient } from '../../test/support/client.ts'
import { consoleUrl, type Member, openTenant, signIn } from './member.ts'
import type { Service } from './service.ts'
import { makeSite, type Site } from './site.ts'

export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })
export const tenantUrl = (service: Service, { slug }: Member, path: string) =>
  `${consoleUrl(service)}/o/${slug}/${path}`
/** The headers of a page of the merchant. */
export const fromPage = { origin: 'http://localhost:3001' }
export const newSession = () => randomBytes(32).toString('hex')
/** How the console shows an id. */
export const tail = (id: string) => `…${id.slice(-8)}`

/** A merchant with a site whose challenges take next to no work, signed in. */
export async function openShop(page: Page, service: Service): Promise<{ owner: Member; site: Site }> {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  await service.sql.query('update site set base_work = 1024 where id = $1', [site.id])
  await signIn(page, service, owner)
  return { owner, site }
}

/** A decision, from intent to redemption; its id. */
export async function decide(service: Service, site: Site, fields: { action?: string; session?: string } = {}) {
  const client = createTestClient(service.url)
  const earned = await client.earn(site, { hostname: 'localhost', ...fields }, fromPage)
  return String((await client.siteverify(site, earned)).body['decision_id'])
}

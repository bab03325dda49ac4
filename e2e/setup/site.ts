import { createTestClient } from '../../test/support/client.ts'
import { consoleUrl, type Member } from './member.ts'
import type { Service } from './service.ts'

/** A site, and the address of its pages. */
export type Site = { id: string; tenantId: string; sitekey: string; secret: string; path: string }

/** A site of the member's tenant, on localhost, as the operator makes it. */
export async function makeSite(service: Service, { tenantId, slug }: Member, name = 'Storefront'): Promise<Site> {
  const made = await service.operator.createSite(tenantId, { name, hostname: 'localhost' })
  return { ...made, tenantId, path: `${consoleUrl(service)}/o/${slug}/sites/${made.id}` }
}

/** What /intents answers to the site's backend. */
export async function openIntent(service: Service, site: Site, { secret = site.secret, hostname = 'localhost' } = {}) {
  return (await createTestClient(service.url).intent({ ...site, secret }, { hostname })).status
}

import { consoleUrl, type Member } from './member.ts'
import type { Service } from './service.ts'

/** A site, and the address of its pages. */
export type Site = { id: string; sitekey: string; secret: string; path: string }

/** A site of the member's tenant, on localhost, as the operator makes it. */
export async function makeSite(service: Service, { tenantId, slug }: Member): Promise<Site> {
  const named = ['--tenant', tenantId, '--name', 'Storefront', '--hostname', 'localhost']
  const made = await service.tollgate('site', 'create', ...named)
  const id = String(made['site_id'])
  return {
    id,
    sitekey: String(made['sitekey']),
    secret: String(made['secret']),
    path: `${consoleUrl(service)}/o/${slug}/sites/${id}`,
  }
}

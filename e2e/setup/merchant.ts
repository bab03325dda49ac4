import { checksum62 } from '../../server/kit/crypto/ids.ts'
import { createTestClient } from '../../test/support/client.ts'
import type { Service } from './service.ts'
import type { Books } from './shops/books.ts'
import { startNodeShop } from './shops/node.ts'

/** A tenant of Tollgate with one site, and the shop that it runs. */
export type Merchant = {
  tenantId: string
  sitekey: string
  /** Address of Tollgate. */
  tollgate: string
  /** Address of the shop. */
  shop: string
  /** Opens an intent for a page on localhost; its id. */
  intent(): Promise<string>
  /** What has happened since it was opened, or since `since`. */
  books(): Promise<Books>
  close(): Promise<void>
}

type Keys = { tenantId: string; sitekey: string; secret: string }

/** Makes a tenant with `quota` units a month and opens its shop. */
export async function openMerchant(service: Service, quota: number): Promise<Merchant> {
  const { id: tenantId } = await service.operator.createTenant({ name: 'Pennywheel', quota })
  const site = await service.operator.createSite(tenantId, { name: 'Shop', hostname: 'localhost' })
  return openShop(service, { tenantId, ...site })
}

/** The shop of somebody who tries Tollgate with a published test key, such as `TESThard`. */
export async function openTestKeyShop(service: Service, name: string): Promise<Merchant> {
  const body = `tg_secret_${name.padEnd(43, '0')}`
  const keys = {
    tenantId: '00000000-0000-7000-8000-000000000000',
    sitekey: `tg_site_${name.padEnd(20, '0')}`,
    secret: body + checksum62(body),
  }
  return openShop(service, keys)
}

/** Opens a shop that runs on these keys. */
export async function openShop(service: Service, keys: Keys): Promise<Merchant> {
  const { tenantId, sitekey } = keys
  const shop = await startNodeShop(service, keys)
  const client = createTestClient(service.url)

  return {
    tenantId,
    sitekey,
    tollgate: service.url,
    shop: shop.url,
    async intent() {
      const { body } = await client.intent(keys, { hostname: 'localhost' })
      return String(body['intent_id'])
    },
    async books() {
      const [here, there] = await Promise.all([
        shop.count(),
        service.sql.query(
          `select (select count(*)::int from decision where tenant_id = $1) as decisions,
                  (select coalesce(sum(used), 0)::int from quota_period where tenant_id = $1) as "fromQuota",
                  (select coalesce(sum(units), 0)::int from balance where tenant_id = $1) as balance`,
          [tenantId],
        ),
      ])
      return { ...here, ...there.rows[0] } as Books
    },
    close: () => shop.close(),
  }
}

/** The same merchant, with books that begin now. */
export async function since(merchant: Merchant): Promise<Merchant> {
  const before = await merchant.books()
  return {
    ...merchant,
    async books() {
      const now = await merchant.books()
      return {
        orders: now.orders - before.orders,
        letters: now.letters - before.letters,
        decisions: now.decisions - before.decisions,
        fromQuota: now.fromQuota - before.fromQuota,
        balance: now.balance - before.balance,
      }
    },
  }
}

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { startShop } from '../../../examples/shop/shop.ts'
import type { Service } from '../service.ts'
import type { Shop } from './books.ts'

/** The demo shop, with a PostgreSQL database of its own. */
export async function startNodeShop(
  service: Pick<Service, 'url' | 'createDatabase'>,
  keys: { sitekey: string; secret: string },
): Promise<Shop> {
  const databaseUrl = await service.createDatabase(`shop_${randomUUID().replaceAll('-', '')}`)
  const shop = await startShop({
    port: 0,
    host: '127.0.0.1',
    hostname: 'localhost',
    tollgateUrl: service.url,
    sitekey: keys.sitekey,
    secret: keys.secret,
    databaseUrl,
    sessionKey: randomUUID(),
    // what an outage costs each test
    deadline: 3_000,
    log: () => {},
  })
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  sql.on('error', () => {})
  return {
    url: shop.url,
    async count() {
      const { rows } = await sql.query<{ orders: number; letters: number }>(
        `select (count(*) filter (where action = 'checkout'))::int as orders,
                (count(*) filter (where action = 'signup'))::int as letters from orders`,
      )
      const [counted] = rows
      if (!counted) throw new Error('the shop has no books')
      return counted
    },
    async close() {
      await shop.close()
      await sql.end()
    },
  }
}

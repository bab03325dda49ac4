import type { Adapter } from '../adapter.ts'
import { createDatabase } from './database.ts'
import { startProcess } from './process.ts'

const fields = {
  product: 'bell',
  quantity: '2',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  address: '12 Example Street\nLondon',
}

/** The demo shop. */
export default {
  name: 'the demo shop',
  async start({ tollgateUrl, sitekey, secret, hostname }) {
    const database = await createDatabase()
    const shop = await startProcess(process.execPath, ['--import', 'tsx', 'examples/shop/main.ts'], {
      SHOP_PORT: '0',
      SHOP_HOST: '127.0.0.1',
      SHOP_HOSTNAME: hostname,
      SHOP_DATABASE_URL: database.url,
      SHOP_SESSION_KEY: 'a key of the acceptance kit’s own',
      TOLLGATE_URL: tollgateUrl,
      TOLLGATE_SITEKEY: sitekey,
      TOLLGATE_SECRET: secret,
    }).catch((error: unknown) => database.close().then(() => Promise.reject(error)))
    return {
      form: `${shop.origin}/checkout`,
      fields,
      changed: { ...fields, quantity: '9', address: '1 Other Road\nLondon' },
      executed: () => database.count('orders'),
      logs: () => shop.logs(),
      async stop() {
        await shop.stop()
        await database.close()
      },
    }
  },
} satisfies Adapter

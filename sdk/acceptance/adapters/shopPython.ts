import type { Adapter } from '../adapter.ts'
import { startProcess } from './process.ts'
import { PYTHON, PYTHON_ENVIRONMENT } from './python.ts'
import { createRecords } from './records.ts'

const fields = {
  product: 'bell',
  quantity: '2',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  address: '12 Example Street\nLondon',
}

/** The demo shop in Python. */
export default {
  name: 'the demo shop in Python',
  async start({ tollgateUrl, sitekey, secret }) {
    const records = createRecords('orders')
    const shop = await startProcess(PYTHON, ['-W', 'error', 'examples/shop-python/shop.py'], {
      ...PYTHON_ENVIRONMENT,
      SHOP_DATABASE: records.file,
      SHOP_SESSION_KEY: 'a key of the acceptance kit’s own',
      TOLLGATE_URL: tollgateUrl,
      TOLLGATE_SITEKEY: sitekey,
      TOLLGATE_SECRET: secret,
    }).catch((error: unknown) => records.remove().then(() => Promise.reject(error)))
    return {
      form: `${shop.origin}/checkout`,
      fields,
      changed: { ...fields, quantity: '9', address: '1 Other Road\nLondon' },
      executed: () => records.count(),
      logs: () => shop.logs(),
      async stop() {
        await shop.stop()
        await records.remove()
      },
    }
  },
} satisfies Adapter

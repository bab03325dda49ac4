import type { Adapter } from '../adapter.ts'
import { createDatabase } from './database.ts'
import { startProcess } from './process.ts'
import { PYTHON_ENVIRONMENT } from './python.ts'

/** A server around code of the guide: a checkout with the guide's tables. The file is below guide/. */
export function guideShop(name: string, command: string, [file = '', ...args]: string[]): Adapter {
  return {
    name,
    async start({ tollgateUrl, sitekey, secret }) {
      const database = await createDatabase()
      const shop = await startProcess(command, [`${import.meta.dirname}/guide/${file}`, ...args], {
        ...PYTHON_ENVIRONMENT,
        DATABASE_URL: database.url,
        TOLLGATE_URL: tollgateUrl,
        TOLLGATE_SITEKEY: sitekey,
        TOLLGATE_SECRET: secret,
        SESSION_KEY: 'a key of the acceptance kit’s own',
      }).catch((error: unknown) => database.close().then(() => Promise.reject(error)))
      return {
        form: `${shop.origin}/checkout`,
        fields: { email: 'ada@example.com', quantity: '2' },
        changed: { email: 'ada@example.com', quantity: '9' },
        executed: () => database.count('orders'),
        logs: () => shop.logs(),
        async stop() {
          await shop.stop()
          await database.close()
        },
      }
    },
  }
}

import type { Adapter, Settings } from '../adapter.ts'
import { createDatabase } from './database.ts'
import { startProcess } from './process.ts'

/** An example of the Node SDK: it takes its settings from the environment and prints the address of its checkout. */
export function nodeExample(name: string, file: string): Adapter {
  return {
    name,
    async start({ tollgateUrl, sitekey, secret }: Settings) {
      const database = await createDatabase()
      const example = await startProcess(process.execPath, ['--import', 'tsx', file], {
        PORT: '0',
        DATABASE_URL: database.url,
        TOLLGATE_URL: tollgateUrl,
        TOLLGATE_SITEKEY: sitekey,
        TOLLGATE_SECRET: secret,
        SESSION_KEY: 'a key of the acceptance kit’s own',
      }).catch((error: unknown) => database.close().then(() => Promise.reject(error)))
      return {
        form: `${example.origin}/checkout`,
        fields: { email: 'ada@example.com', quantity: '2' },
        changed: { email: 'ada@example.com', quantity: '9' },
        executed: () => database.count('orders'),
        logs: () => example.logs(),
        async stop() {
          await example.stop()
          await database.close()
        },
      }
    },
  }
}

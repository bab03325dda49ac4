import type { Adapter } from '../adapter.ts'
import { findPort, startProcess } from './process.ts'
import { PYTHON, PYTHON_ENVIRONMENT } from './python.ts'
import { createRecords } from './records.ts'

/** An example of the Python SDK: a sign-up that takes its settings from the environment; `table` has its subscribers. */
export function pythonExample(name: string, file: string, table: string): Adapter {
  return {
    name,
    async start({ tollgateUrl, sitekey, secret }) {
      const records = createRecords(table)
      const port = await findPort()
      const settings = {
        ...PYTHON_ENVIRONMENT,
        PORT: String(port),
        DATABASE: records.file,
        TOLLGATE_URL: tollgateUrl,
        TOLLGATE_SITEKEY: sitekey,
        TOLLGATE_SECRET: secret,
        SESSION_KEY: 'a key of the acceptance kit’s own',
      }
      const example = await startProcess(PYTHON, [file], settings, port).catch((error: unknown) =>
        records.remove().then(() => Promise.reject(error)),
      )
      return {
        form: `${example.origin}/signup`,
        fields: { email: 'ada@example.com' },
        changed: { email: 'grace@example.com' },
        executed: () => records.count(),
        logs: () => example.logs(),
        async stop() {
          await example.stop()
          await records.remove()
        },
      }
    },
  }
}

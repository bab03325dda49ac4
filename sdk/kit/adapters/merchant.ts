import type { Adapter } from '../adapter.ts'
import { createPostgresql } from './postgresql.ts'
import { findPort, PHP, PYTHON, startProcess } from './process.ts'
import { createSqlite } from './sqlite.ts'

/** A merchant of this project: a program that takes its settings from the environment. The defaults are a checkout's. */
export type Program = {
  name: string
  /** In TypeScript, JavaScript, Python or PHP. It prints its address, unless it is given a port. */
  file: string
  args?: string[]
  isGivenPort?: boolean
  /** What the names of its own settings begin with. */
  prefix?: string
  /** Where it keeps its records. */
  records?: 'postgresql' | 'sqlite'
  /** The table that gets a row each time the business action is executed. */
  table?: string
  path?: string
  fields?: Record<string, string>
  /** Of the fields. */
  changed?: Record<string, string>
}

function commandOf(file: string, port: number | undefined): [string, ...string[]] {
  if (file.endsWith('.py')) return [PYTHON, file]
  if (file.endsWith('.php')) return [PHP, '-S', `localhost:${port}`, file]
  return [process.execPath, ...(file.endsWith('.ts') ? ['--import', 'tsx'] : []), file]
}

export function merchant(program: Program): Adapter {
  const { name, file, args = [], isGivenPort = false, prefix = '', path = '/checkout', table = 'orders' } = program
  const {
    fields = { email: 'ada@example.com', quantity: '2' },
    changed = { email: 'grace@example.com', quantity: '9' },
  } = program
  return {
    name,
    async start({ tollgateUrl, sitekey, secret }) {
      const isSqlite = program.records === 'sqlite'
      const records = await (isSqlite ? createSqlite : createPostgresql)(table)
      const port = isGivenPort ? await findPort() : undefined
      const [executable, ...rest] = commandOf(file, port)
      const started = await startProcess(
        executable,
        [...rest, ...args],
        {
          PYTHONPATH: 'sdk/python/src',
          PYTHONDONTWRITEBYTECODE: '1',
          PYTHONUTF8: '1',
          // one process of PHP's server answers one request at a time
          PHP_CLI_SERVER_WORKERS: '8',
          TOLLGATE_URL: tollgateUrl,
          TOLLGATE_SITEKEY: sitekey,
          TOLLGATE_SECRET: secret,
          [`${prefix}PORT`]: String(port ?? 0),
          [`${prefix}${isSqlite ? 'DATABASE' : 'DATABASE_URL'}`]: records.address,
          [`${prefix}SESSION_KEY`]: 'a key of the acceptance kit’s own',
        },
        port,
      ).catch((error: unknown) => records.close().then(() => Promise.reject(error)))
      return {
        form: started.origin + path,
        fields,
        changed: { ...fields, ...changed },
        executed: () => records.count(),
        logs: () => started.logs(),
        async stop() {
          await started.stop()
          await records.close()
        },
      }
    },
  }
}

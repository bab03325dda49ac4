import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { TEST_KEY } from '../../test/support/keptFile.ts'
import { type Mailbox, openMailbox } from '../../test/support/mailbox.ts'
import { type Operator, openOperator } from '../../test/support/operator.ts'
import { type ServerProcess, startServer } from '../../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../../test/support/temporary.ts'

const run = promisify(execFile)

/** Tollgate as it is deployed: the build, in a process of its own, over a real PostgreSQL. */
export type Service = {
  /** Base address, for browsers and for shops. */
  url: string
  /** Plain SQL on its database, for what no door offers: ageing rows, counting them. */
  sql: pg.Pool
  /** The operator's file of networks. */
  networksFile: string
  /** What it mailed. */
  mailbox: Pick<Mailbox, 'linkTo'>
  /** Makes an empty database beside the service's own; its connection string. */
  createDatabase(name: string): Promise<string>
  /** Makes tenants and sites, without a process for each, and sessions. */
  operator: Omit<Operator, 'close'>
  /** `npm run tollgate -- …args --json`: what an operator does. Rejects where it fails. */
  tollgate(...args: string[]): Promise<Record<string, unknown>>
  /** The process hangs: connections are taken, nothing is answered. */
  freeze(): void
  /** Undoes `freeze`. */
  thaw(): void
  /** `kill -9`. */
  kill(): Promise<void>
  /** Starts it again at the same address; nothing if it runs. */
  restart(): Promise<void>
  /** Everything that it wrote. */
  output(): string
  close(): Promise<void>
}

/** `more`: further settings. */
export async function openService(logLevel: string, more: Record<string, string> = {}): Promise<Service> {
  const cluster = await openTemporaryCluster('tollgate end-to-end tests')
  const database = await databaseSettings(cluster)
  const mailbox = await openMailbox()
  const networksFile = join(cluster.dataDir, 'networks.txt')
  writeFileSync(networksFile, '# none yet\n')
  const settings = {
    ...database,
    DATA_DIR: cluster.dataDir,
    TOLLGATE_KEYS: `t1:${TEST_KEY.toString('base64url')}`,
    LOG_LEVEL: logLevel,
    SMTP_URL: mailbox.url,
    NETWORKS_FILE: networksFile,
    SUPPORT_URL: 'mailto:help@tollgate.example',
    WEBHOOKS_ALLOW: '127.0.0.0/8',
    ...more,
  }
  let server: ServerProcess | undefined = await startServer(settings, 'build')
  const { url } = server
  const { port } = new URL(url)
  const past: string[] = []
  const operator = await openOperator({ ...settings, PUBLIC_URL: url.replace('127.0.0.1', 'localhost') })
  const sql = new pg.Pool({ connectionString: database.OWNER_DATABASE_URL, max: 2 })
  sql.on('error', () => {})

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server
    server = undefined
    await ending?.end(signal)
    past.push(ending?.output() ?? '')
  }

  function signal(name: NodeJS.Signals): void {
    if (server) process.kill(server.pid, name)
  }

  return {
    url,
    sql,
    networksFile,
    mailbox,
    operator,
    async createDatabase(name) {
      await cluster.createDatabase(name)
      return cluster.url(name)
    },
    async tollgate(...args) {
      const { stdout } = await run(process.execPath, ['dist/server/cli.js', ...args, '--json'], {
        env: { PATH: process.env['PATH'], ...settings },
      })
      return JSON.parse(stdout) as Record<string, unknown>
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => end('SIGKILL'),
    async restart() {
      server ??= await startServer({ ...settings, PORT: port }, 'build')
    },
    output: () => [...past, server?.output() ?? ''].join(''),
    async close() {
      await end('SIGTERM')
      await mailbox.close()
      await Promise.all([sql.end(), operator.close()])
      await cluster.close()
    },
  }
}

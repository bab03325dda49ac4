import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { Logger, runOnce } from 'graphile-worker'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../server/app.ts'
import { type Config, readConfig } from '../../server/kit/config/config.ts'
import type { Context } from '../../server/kit/context.ts'
import { createLog } from '../../server/kit/process/log.ts'
import type { CapturedEmail } from '../../server/kit/process/mail.ts'
import { openService, type Service } from '../../server/kit/service.ts'
import { queuedTasks } from '../../server/queue.ts'
import { createTestClient, type TestClient } from './client.ts'
import { openTestDatabase } from './database.ts'
import { TEST_KEYS } from './process.ts'

export type TestApp = {
  url: string
  ctx: Context
  opened: Service

  /** Direct SQL on the test's database as its owner, for example to age or count rows. */
  sql: pg.Pool
  /** The rows of one of these statements. */
  rows<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]>
  /** For the role that the service runs as. */
  databaseUrl: string
  ownerDatabaseUrl: string
  client: TestClient
  /** The token of the mailbox; only with `DEMO=on`. */
  mailboxToken: string | undefined
  /** Runs the queue, as the service does after a commit, and returns the captured e-mails, newest first. */
  emails(): Promise<readonly CapturedEmail[]>
  /** Every line that the server logged. */
  logged: string[]
  close(): Promise<void>
}

/** Whom the sign-in page of an evaluation offers. */
export const DEMO_PEOPLE = [{ email: 'ada@people.example', name: 'Ada', role: 'owner', password: 'not a secret' }]

const REQUIRED_IN_PRODUCTION = {
  TOLLGATE_KEYS: `t1:${randomBytes(32).toString('base64url')}`,
  METRICS_TOKEN: randomBytes(24).toString('base64url'),
}

/**
 * Starts the whole server on a loopback port with its own database. Settings as in the environment. `fixed`: what is no setting;
 * passwords are hashed at a cost of 2^10, because tests sign in hundreds of times.
 */
export async function openTestApp(
  settings: Record<string, string> = {},
  fixed: Partial<Pick<Config, 'passwordCost' | 'requestTimeout'>> = {},
): Promise<TestApp> {
  const db = await openTestDatabase()
  const logged: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk))
      done()
    },
  })
  const settled = readConfig({
    DATABASE_URL: db.serviceUrl,
    TOLLGATE_KEYS: TEST_KEYS,
    PORT: '0',
    DEMO: 'off',
    GRANTS: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    // all tests of a file use one address
    TEST_KEYS_PER_MINUTE: '100000',
    TEST_KEYS_PER_SECOND: '100000',
    // a test clicks faster than a person
    CONSOLE_CALLS_PER_SECOND: '10000',
    CONSOLE_CHANGES_PER_SECOND: '10000',
    ...(settings['DEMO'] === 'on' ? { SHOP_DATABASE_URL: db.url } : {}),
    ...(settings['NODE_ENV'] === 'production' ? REQUIRED_IN_PRODUCTION : {}),
    ...settings,
  })
  const config = { ...settled, passwordCost: 10, ...fixed }
  const service = await openService(
    config,
    { kind: 'service', label: 'test' },
    createLog(settings['LOG_LEVEL'] ?? 'info', sink),
  )
  const mailboxToken = config.demo ? randomBytes(24).toString('base64url') : undefined
  const app = await buildApp({
    ...service,
    facts: { version: 'test', mode: 'production', database: 'external', startedAt: 0, shopUrl: null, story: [] },
    mailbox: mailboxToken === undefined ? undefined : { token: mailboxToken, people: DEMO_PEOPLE },
  })
  await app.listen({ port: 0, host: '127.0.0.1', backlog: config.backlog })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const sql = new pg.Pool({ connectionString: db.url, max: 4 })
  sql.on('error', () => {})
  return {
    url,
    ctx: service.ctx,
    opened: service,
    sql,
    rows: async <Row extends pg.QueryResultRow>(statement: string, values?: unknown[]) =>
      (await sql.query<Row>(statement, values)).rows,
    databaseUrl: db.serviceUrl,
    ownerDatabaseUrl: db.url,
    client: createTestClient(url),
    mailboxToken,
    async emails() {
      await runOnce({
        pgPool: service.database.pool,
        noHandleSignals: true,
        parsedCronItems: [],
        logger: new Logger(() => () => {}),
        taskList: queuedTasks(service.ctx),
      })
      return service.ctx.mail.captured()
    },
    logged,
    async close() {
      await app.close()
      await Promise.all([service.close(), sql.end()])
      await db.close()
    },
  }
}

/** Another service for one test, which ends with it. */
export async function openOwnApp(...settings: Parameters<typeof openTestApp>): Promise<TestApp> {
  const app = await openTestApp(...settings)
  onTestFinished(() => app.close())
  return app
}

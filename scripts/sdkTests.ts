/**
 * Runs the tests of an SDK in another language: against vectors, and against a real server over a real PostgreSQL, with faults in
 * between.
 *
 *   tsx scripts/sdkTests.ts COMMAND [ARGUMENT…]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'
import { openFaults } from '../sdk/testing/faults.ts'
import { openScripted } from '../sdk/testing/scripted.ts'
import { openOperator } from '../test/support/operator.ts'
import { startServer } from '../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../test/support/temporary.ts'

const [command = '', ...args] = process.argv.slice(2)

const cluster = await openTemporaryCluster('tollgate sdk tests')
const settings = { ...(await databaseSettings(cluster)), DATA_DIR: cluster.dataDir, LOG_LEVEL: 'warn' }
const server = await startServer(settings, 'build')
const faults = await openFaults(server.url)
const scripted = await openScripted()
const operator = await openOperator(settings)
const sql = new pg.Pool({ connectionString: settings.OWNER_DATABASE_URL, max: 2 })

const tenant = await operator.createTenant({ name: 'SDK', quota: 1_000_000 })
const site = await operator.createSite(tenant.id, { name: 'Shop', hostname: 'localhost' })
// minimal difficulty, because the visitors here are not written in WebAssembly
await sql.query(`update site set base_work = 64 where id = $1`, [site.id])

/** The service's counts of decisions and charges, which the tests compare. */
async function count(): Promise<string> {
  const { rows } = await sql.query(
    `select (select count(*)::int from intent where site_id = $1) as intents,
            (select count(*)::int from decision where site_id = $1) as decisions,
            (select coalesce(sum(used), 0)::int from quota_period where tenant_id = $2) as charged,
            (select count(*)::int from feedback_event where tenant_id = $2) as reports,
            (select count(*)::int from captcha_grant where site_id = $1) as grants`,
    [site.id, tenant.id],
  )
  return JSON.stringify(rows[0])
}

const books = createServer((_, response) => {
  count().then(
    (counted) => response.setHeader('content-type', 'application/json').end(counted),
    (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
  )
})
books.listen(0, '127.0.0.1')
await once(books, 'listening')
const address = books.address()
if (typeof address !== 'object' || address === null) throw new Error('the count server has no port')

const child = spawn(command, args, {
  stdio: 'inherit',
  env: {
    PATH: process.env['PATH'],
    PYTHONDONTWRITEBYTECODE: '1',
    TOLLGATE_URL: server.url,
    TOLLGATE_SITEKEY: site.sitekey,
    TOLLGATE_SECRET: site.secret,
    FAULTS_URL: faults.url,
    FAULTS_CONTROL: faults.control,
    SCRIPTED_URL: scripted.url,
    SCRIPTED_CONTROL: scripted.control,
    ...(process.env['CI'] === undefined ? {} : { CI: process.env['CI'] }),
    BOOKS_URL: `http://127.0.0.1:${address.port}`,
  },
})
const [code] = (await once(child, 'exit')) as [number | null]

books.close()
books.closeAllConnections()
await Promise.all([faults.close(), scripted.close(), sql.end(), operator.close()])
await server.end()
await cluster.close()
process.exit(code ?? 1)

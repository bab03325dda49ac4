/**
 * The cost of a verification: CPU seconds per 1,000 requests of each endpoint, for Node.js and PostgreSQL separately, and the
 * times of the replies, on a service and a PostgreSQL of their own with durable settings. Bare node:http and Fastify are
 * measured in the same run, because only ratios carry over to another machine. Linux only.
 *
 *   npm run bench [-- --requests 12000] [--concurrency 1,16,64,256] [--json FILE] [--profile DIRECTORY]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { admitOperator } from '../server/accounts/access.ts'
import { createSite } from '../server/accounts/sites/create.ts'
import { createTenant } from '../server/accounts/tenants/create.ts'
import { readConfig } from '../server/kit/config.ts'
import { createLog } from '../server/kit/log.ts'
import { openService } from '../server/kit/service.ts'
import { reconcile } from '../server/ledger/quota/reconcile.ts'
import { newNonce } from '../test/support/client.ts'
import { startServer } from '../test/support/process.ts'
import { solvePuzzles } from '../test/support/solver.ts'
import { databaseSettings, openTemporaryCluster } from '../test/support/temporary.ts'
import { cpuSeconds } from './cpu.ts'
import { startBare } from './load/bareProcess.ts'
import { closedLoop, percentile } from './load/closed.ts'
import { post } from './load/connection.ts'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '12000' },
    concurrency: { type: 'string', default: '1,16,64,256' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})
const MOST = Number(options.requests)
const LEVELS = options.concurrency.split(',').map(Number)
/** Tenants that the load is spread over, each with one site. */
const TENANTS = 8

const cluster = await openTemporaryCluster('bench', { onDisk: true })
const settings = { ...(await databaseSettings(cluster)), DATA_DIR: cluster.dataDir, LOG_LEVEL: 'warn' }
const service = await openService(readConfig(settings), { kind: 'command', label: 'bench' }, createLog('silent'))
const operator = admitOperator(service.ctx, 'bench')
const sites = await Promise.all(
  Array.from({ length: TENANTS }, async (_, i) => {
    // a plan so large that its calls per second are more than any machine answers
    const tenant = await createTenant(operator, { name: `Bench ${i}`, quota: 1_000_000_000 })
    const site = await createSite(operator, tenant, { name: 'Bench', hostnames: ['shop.example'] })
    await service.ctx.prisma.site.update({
      where: { id: site.id },
      data: {
        baseWork: 64,
        workMode: 'fixed',
        challengeKind: 'sha256',
        ratePerSecond: 1_000_000,
        rateBurst: 2_000_000,
      },
    })
    return site
  }),
)
const server = await startServer(
  settings,
  'build',
  options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`],
)
const postmaster = Number(readFileSync(`${cluster.dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0])
const bare = { http: await startBare('http'), fastify: await startBare('fastify') }
const port = Number(new URL(server.url).port)

let visitor = 0
/** Each request comes from a client address of its own. */
function call(path: string, site: { secret: string }, body: unknown): string {
  visitor += 1
  return post(path, body, {
    authorization: `Bearer ${site.secret}`,
    origin: 'https://shop.example',
    'x-forwarded-for': `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`,
  })
}

type Row = {
  endpoint: string
  concurrency: number
  requests: number
  /** CPU seconds per 1,000 requests. */
  node: number
  postgres: number
  generator: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  p999: number
  max: number
}
const rows: Row[] = []

/** Sends the requests, adds a row, and returns the parsed bodies of the replies. */
async function measured(
  endpoint: string,
  concurrency: number,
  requests: string[],
  target = { port, pid: server.pid },
): Promise<Record<string, unknown>[]> {
  const cpu = () => ({
    node: cpuSeconds(target.pid),
    postgres: cpuSeconds(postmaster),
    generator: process.cpuUsage().user + process.cpuUsage().system,
  })
  const before = cpu()
  const { replies, milliseconds, seconds } = await closedLoop(target.port, concurrency, requests)
  const after = cpu()
  const wrong = replies.find(({ status }) => status !== 200)
  if (wrong) throw new Error(`${endpoint} answered ${wrong.status} ${wrong.body}`)
  const sorted = milliseconds.toSorted()
  const each = 1000 / requests.length
  rows.push({
    endpoint,
    concurrency,
    requests: requests.length,
    node: (after.node - before.node) * each,
    postgres: (after.postgres - before.postgres) * each,
    generator: ((after.generator - before.generator) / 1e6) * each,
    perSecond: Math.round(requests.length / seconds),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
    max: percentile(sorted, 1),
  })
  return replies.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
}

const siteOf = (i: number) => sites[i % TENANTS] as (typeof sites)[number]
const fresh = () => ({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' })

async function measureBare(concurrency: number, requests: number): Promise<void> {
  const bodies = Array.from({ length: requests }, () => post('/intents', fresh()))
  await measured('bare node:http', concurrency, bodies, bare.http)
  await measured('bare Fastify', concurrency, bodies, bare.fastify)
}

/** The four calls of a verification, one endpoint after the other, and the last one again. */
async function measureFlow(concurrency: number, requests: number): Promise<void> {
  const opened = await measured(
    '/intents',
    concurrency,
    Array.from({ length: requests }, (_, i) => call('/intents', siteOf(i), fresh())),
  )
  const intents = opened.map(({ intent_id }, i) => ({ sitekey: siteOf(i).sitekey, intent_id }))
  const challenges = await measured(
    '/challenge',
    concurrency,
    intents.map((intent, i) => call('/challenge', siteOf(i), intent)),
  )
  const tokens = await measured(
    '/solve',
    concurrency,
    challenges.map((challenge, i) =>
      call('/solve', siteOf(i), {
        ...intents[i],
        challenge: challenge['challenge'],
        solution: solvePuzzles(challenge as never),
      }),
    ),
  )
  const redemptions = tokens.map(({ response }, i) =>
    call('/siteverify', siteOf(i), {
      response,
      intent_id: intents[i]?.intent_id,
      action: 'checkout',
      hostname: 'shop.example',
      idempotency_key: newNonce(),
    }),
  )
  await measured('/siteverify', concurrency, redemptions)
  await measured('/siteverify again', concurrency, redemptions)
}

// warms up the JIT, as in a running service
await measureBare(16, 4000)
await measureFlow(16, 4000)
rows.length = 0

for (const concurrency of LEVELS) {
  const requests = concurrency === 1 ? Math.ceil(MOST / 4) : MOST
  await measureBare(concurrency, requests)
  await measureFlow(concurrency, requests)
  await measureBare(concurrency, requests)
}

const FLOW = ['/intents', '/challenge', '/solve', '/siteverify']
const of = (endpoint: string, concurrency: number) =>
  rows.filter((row) => row.endpoint === endpoint && row.concurrency === concurrency)
/** The smaller of the measurements before and after: what disturbs a measurement only makes it larger. */
const costOf = (endpoint: string, concurrency: number) =>
  Math.min(...of(endpoint, concurrency).map(({ node, postgres }) => node + postgres))

console.table(
  rows.map(({ endpoint, concurrency, requests, perSecond, ...figures }) => ({
    endpoint,
    concurrency,
    requests,
    'per second': perSecond,
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value.toFixed(3)])),
  })),
)
const ratios = LEVELS.map((concurrency) => {
  const one = of('bare Fastify', concurrency).length > 0 ? costOf('bare Fastify', concurrency) : Number.NaN
  const flow = FLOW.reduce((sum, endpoint) => sum + costOf(endpoint, concurrency), 0)
  return {
    concurrency,
    'flow CPU-s/1000': flow.toFixed(3),
    'flow / 4 bare Fastify': (flow / (4 * one)).toFixed(2),
    '/siteverify / bare Fastify': (costOf('/siteverify', concurrency) / one).toFixed(2),
  }
})
console.table(ratios)
const { mismatches, decisions } = await reconcile(service.ctx)
console.log(`${decisions} decisions, ${mismatches.length} mismatches`)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ rows, ratios }, undefined, 2)}\n`)
await Promise.all([bare.http.end(), bare.fastify.end()])
await server.end()
await service.close()
await cluster.close()
process.exit(mismatches.length === 0 ? 0 : 1)

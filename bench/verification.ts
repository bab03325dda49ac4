/**
 * The cost of a verification: CPU seconds per 1,000 requests of each endpoint, for Node.js and PostgreSQL separately, at three
 * concurrencies, on a server process and a PostgreSQL of their own with durable settings. Linux only.
 *
 *   npx tsx bench/verification.ts [requests at the highest concurrency, default 6000]
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
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
import { openTemporaryCluster } from '../test/support/temporary.ts'
import { cpuSeconds } from './cpu.ts'

const MOST = Number(process.argv[2] ?? 6000)
const LEVELS = [
  { concurrency: 1, requests: Math.ceil(MOST / 4) },
  { concurrency: 16, requests: MOST },
  { concurrency: 64, requests: MOST },
]

const cluster = await openTemporaryCluster('bench', { onDisk: true })
await cluster.createDatabase('tollgate')
const settings = { DATABASE_URL: cluster.url('tollgate'), DATA_DIR: cluster.dataDir, LOG_LEVEL: 'warn' }
const service = await openService(readConfig(settings), { kind: 'command', label: 'bench' }, createLog('silent'))
const operator = admitOperator(service.ctx, 'bench')
// a plan so large that its calls per second are more than any machine answers
const site = await createSite(operator, await createTenant(operator, { name: 'Bench', quota: 1_000_000_000 }), {
  name: 'Bench',
  hostnames: ['shop.example'],
})
await service.ctx.prisma.site.update({
  where: { id: site.id },
  data: { baseWork: 64, workMode: 'fixed', ratePerSecond: 1_000_000, rateBurst: 2_000_000 },
})
const server = await startServer(settings)
const postmaster = Number(readFileSync(`${cluster.dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0])

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const { hostname, port } = new URL(server.url)

let visitor = 0
function post(path: string, body: unknown): Promise<Record<string, string>> {
  const text = JSON.stringify(body)
  visitor += 1
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    authorization: `Bearer ${site.secret}`,
    origin: 'https://shop.example',
    'x-forwarded-for': `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, path, method: 'POST', headers }, (reply) => {
      let answer = ''
      reply.on('data', (chunk) => (answer += String(chunk)))
      reply.on('end', () =>
        reply.statusCode === 200
          ? resolve(JSON.parse(answer) as Record<string, string>)
          : reject(new Error(`${path} ${reply.statusCode} ${answer}`)),
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

/** Runs `work` for each item, `concurrency` at a time. */
async function pool<In, Out>(concurrency: number, items: In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const outs: Out[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let i = next++; i < items.length; i = next++) outs[i] = await work(items[i] as In)
    }),
  )
  return outs
}

const rows: Record<string, string | number>[] = []
async function measured<In, Out>(
  endpoint: string,
  concurrency: number,
  items: In[],
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const before = { node: cpuSeconds(server.pid), postgres: cpuSeconds(postmaster), at: performance.now() }
  const outs = await pool(concurrency, items, work)
  const seconds = (performance.now() - before.at) / 1000
  rows.push({
    endpoint,
    concurrency,
    requests: items.length,
    'node CPU-s/1000': (((cpuSeconds(server.pid) - before.node) / items.length) * 1000).toFixed(3),
    'postgres CPU-s/1000': (((cpuSeconds(postmaster) - before.postgres) / items.length) * 1000).toFixed(3),
    'per second': Math.round(items.length / seconds),
  })
  return outs
}

const fresh = () => ({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' })
// warms up the JIT, as in a running service
for (let i = 0; i < 2; i++) await pool(16, Array.from({ length: 1000 }, fresh), (fields) => post('/intents', fields))

for (const { concurrency, requests } of LEVELS) {
  const intents = await measured('/intents', concurrency, Array.from({ length: requests }, fresh), (fields) =>
    post('/intents', fields),
  )
  const named = intents.map((intent) => ({ sitekey: site.sitekey, intent_id: intent['intent_id'] ?? '' }))
  const challenges = await measured('/challenge', concurrency, named, (fields) => post('/challenge', fields))
  const solutions = challenges.map((challenge, i) => ({
    sitekey: site.sitekey,
    intent_id: named[i]?.intent_id,
    challenge: challenge['challenge'],
    solution: solvePuzzles(challenge as never),
  }))
  const tokens = await measured('/solve', concurrency, solutions, (fields) => post('/solve', fields))
  const redemptions = tokens.map((token, i) => ({
    response: token['response'],
    intent_id: named[i]?.intent_id,
    action: 'checkout',
    hostname: 'shop.example',
    idempotency_key: newNonce(),
  }))
  await measured('/siteverify', concurrency, redemptions, (fields) => post('/siteverify', fields))
}
console.table(rows)
const { mismatches, decisions } = await reconcile(service.ctx)
console.log(`${decisions} decisions, ${mismatches.length} mismatches`)
agent.destroy()
await server.end()
await service.close()
await cluster.close()
process.exit(0)

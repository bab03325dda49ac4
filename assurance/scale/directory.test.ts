import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { createTestClient, type TestClient } from '../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { databaseSettings, openTemporaryCluster } from '../../test/support/temporary.ts'

type Cluster = Awaited<ReturnType<typeof openTemporaryCluster>>

/** Two deployments, each with a PostgreSQL of its own, behind a router that knows by a key where its tenant is. */
let clusters: Cluster[]
let shards: [TestApp, TestApp]
let router: Server
let client: TestClient
const directory = new Map<string, TestApp>()

beforeAll(async () => {
  clusters = [await openTemporaryCluster('first of two'), await openTemporaryCluster('second of two')]
  const open = async (cluster?: Cluster) => openTestApp(cluster ? await databaseSettings(cluster) : {})
  shards = [await open(clusters[0]), await open(clusters[1])]
  router = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const sitekey = /"sitekey":"([^"]+)"/.exec(body.toString())?.[1]
      const key = incoming.headers.authorization?.replace('Bearer ', '') ?? sitekey ?? ''
      // who has no known key is refused by any shard
      const { url } = directory.get(key) ?? shards[0]
      const { method, headers } = incoming
      const forwarded = request(url + incoming.url, { method, headers }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      })
      forwarded.end(body)
    })
  })
  await new Promise<void>((resolve) => router.listen(0, '127.0.0.1', resolve))
  client = createTestClient(`http://127.0.0.1:${(router.address() as AddressInfo).port}`)
}, 120_000)
afterAll(async () => {
  router?.close()
  await Promise.all((shards ?? []).map((shard) => shard.close()))
  await Promise.all((clusters ?? []).map((cluster) => cluster.close()))
})

async function place(shard: TestApp): Promise<MadeSite> {
  const site = await makeSite(shard.ctx)
  directory.set(site.secret, shard)
  directory.set(site.sitekey, shard)
  return site
}

const charged = async (shard: TestApp) =>
  (
    await shard.opened.database.pool.query<{ tenant: string; units: number; decisions: number }>(
      `select q.tenant_id as tenant, q.used::int as units, count(d.id)::int as decisions
       from quota_period q left join decision d on d.tenant_id = q.tenant_id where q.used > 0 group by 1, 2 order by 1`,
    )
  ).rows

test('tenants on two databases are redeemed and charged where they are, and nowhere else', async () => {
  const sites = [await place(shards[0]), await place(shards[1]), await place(shards[0]), await place(shards[1])]
  for (const site of sites) {
    const fields = await client.earn(site)
    const first = await client.siteverify(site, fields)
    expect(first.status).toBe(200)
    expect((await client.siteverify(site, fields)).text).toBe(first.text)
  }
  for (const [i, shard] of shards.entries()) {
    const here = sites
      .filter((_, n) => n % 2 === i)
      .map(({ tenantId }) => ({ tenant: tenantId, units: 1, decisions: 1 }))
    expect(await charged(shard)).toEqual(here.toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1)))
  }
})

test('a key at the wrong database is unknown, not another tenant’s', async () => {
  const site = await place(shards[1])
  const wrong = createTestClient(shards[0].url)
  const opened = await client.intent(site)
  expect(opened.status).toBe(200)
  expect((await wrong.intent(site)).status).toBe(401)
  const challenge = await wrong.challenge(site, opened.body['intent_id'])
  expect(challenge.status).toBeGreaterThanOrEqual(400)
})

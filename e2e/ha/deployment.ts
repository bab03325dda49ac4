import { setTimeout as sleep } from 'node:timers/promises'
import { openOperator } from '../../test/support/operator.ts'
import { type ServerProcess, startServer } from '../../test/support/process.ts'
import { startPgbouncer } from '../deploy/pgbouncer.ts'
import type { Running } from '../deploy/proxy.ts'
import { type HaCluster, openHaCluster, runSql } from './cluster.ts'

/** More than any run redeems. */
const QUOTA = 100_000_000

/** Two nodes in front of the cluster: one connects through PgBouncer, the other directly to HAProxy. */
export type Deployment = {
  cluster: HaCluster
  nodes: readonly ServerProcess[]
  tenant: string
  site: { sitekey: string; secret: string }
  /** The settings of a node, for commands. */
  settings: Record<string, string>
  close(): Promise<void>
}

export async function openDeployment(report?: (line: string) => void): Promise<Deployment> {
  const cluster = await openHaCluster(report)
  const nodes: ServerProcess[] = []
  let pooler: (Running & { url: string }) | undefined
  const close = async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await pooler?.close()
    await cluster.close()
  }
  try {
    const direct = cluster.url('tollgate_service')
    const settings = {
      DATABASE_URL: direct,
      OWNER_DATABASE_URL: cluster.url('tollgate_owner'),
      TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}`,
      REDIS_URL: cluster.redisUrl,
      // commands and nodes alike: there is no e-mail here
      DEMO: 'off',
    }
    const operator = await openOperator(settings)
    const { id: tenant } = await operator.createTenant({ name: 'Shop', quota: QUOTA })
    const site = await operator.createSite(tenant, { name: 'Shop', hostname: 'shop.example' })
    await operator.close()
    // the load is that of the database, not of solvers
    await runSql(
      cluster.url('tollgate_owner'),
      'update site set base_work = 64, rate_per_second = 10000, rate_burst = 20000 where id = $1',
      [site.id],
    )
    pooler = await startPgbouncer(direct, 'transaction')
    const { OWNER_DATABASE_URL: _, ...ofNode } = settings
    nodes.push(await startServer(ofNode))
    nodes.push(await startServer({ ...ofNode, DATABASE_URL: pooler.url, DIRECT_URL: direct }))
    // a pause, so that the first redemptions find the cluster at rest
    await sleep(500)
    return { cluster, nodes, tenant, site, settings, close }
  } catch (error) {
    await close()
    throw error
  }
}

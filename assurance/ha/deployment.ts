import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/kit/config/config.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openService } from '../../server/kit/service.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { type ServerProcess, startServer } from '../../test/support/process.ts'
import { startPgbouncer } from '../deploy/pgbouncer.ts'
import type { Running } from '../deploy/proxy.ts'
import type { History } from '../faults/history.ts'
import { Merchant } from '../faults/merchant.ts'
import { type HaCluster, openHaCluster, until } from './cluster.ts'

/** More than any run redeems. */
const QUOTA = 100_000_000
/** What a run of an hour leaves to compare, and enough to see a pause of a tenth of a second. */
const LOAD = { clients: 6, pauseMs: 400 }

/** Two nodes in front of the cluster: one connects through PgBouncer, the other directly to HAProxy. */
export type Deployment = {
  cluster: HaCluster
  nodes: readonly ServerProcess[]
  site: MadeSite
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
      GRANTS: 'on',
    }
    const service = await openService(readConfig(settings), { kind: 'command', label: 'failover' }, createLog('silent'))
    // three machines have just started, so a transaction may not begin in time
    const site = await until(() => makeSite(service.ctx, { quota: QUOTA }))
    await service.close()
    pooler = await startPgbouncer(direct, 'transaction')
    const { OWNER_DATABASE_URL: _, ...ofNode } = settings
    nodes.push(await startServer(ofNode))
    nodes.push(await startServer({ ...ofNode, DATABASE_URL: pooler.url, DIRECT_URL: direct }))
    // a pause, so that the first redemptions find the cluster at rest
    await sleep(500)
    return { cluster, nodes, site, settings, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Writes down what the tenant has. Once for each history, before its first request. */
export function openBooks(history: History, { site }: Deployment): void {
  history.write({ kind: 'books', tenant: site.tenantId, quota: QUOTA, balance: 0 })
}

/** Merchants who buy through both nodes until `settle`. */
export function startMerchant(history: History, { nodes, site }: Deployment): Merchant {
  const ports = nodes.map(({ url }) => Number(new URL(url).port))
  return new Merchant(history, () => ports, [site], LOAD)
}

import { readFileSync } from 'node:fs'
import { admitOperator } from '../../../server/accounts/access.ts'
import { createSite } from '../../../server/accounts/sites/create.ts'
import { createTenant } from '../../../server/accounts/tenants/create.ts'
import { readConfig } from '../../../server/kit/config/config.ts'
import { openCluster } from '../../../server/kit/embedded/open.ts'
import { createLog } from '../../../server/kit/process/log.ts'
import { openService } from '../../../server/kit/service.ts'
import { startServer } from '../../../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../../../test/support/temporary.ts'

/** Larger than any machine answers. */
const UNLIMITED = { ratePerSecond: 1_000_000, rateBurst: 2_000_000 }
/** The lowest difficulty. */
const LEAST: Policy = { baseWork: 64, challengeKind: 'sha256' }

export type Site = { sitekey: string; secret: string }

/** Without `baseWork`, a site has the default difficulty. */
type Policy = { baseWork?: number; challengeKind: 'sha256' | 'hashwx' }

/**
 * A service of its own with a durable PostgreSQL on disk. `profile`: a directory for a CPU profile of the service. `dataDir`: where
 * the database stays.
 */
export async function openBed({
  profile,
  dataDir,
  settings: more,
}: {
  profile?: string
  dataDir?: string
  settings?: Record<string, string>
} = {}) {
  const cluster =
    dataDir === undefined
      ? await openTemporaryCluster('bench', { onDisk: true })
      : { ...(await openCluster(dataDir, { kind: 'service', label: 'bench' }, createLog('silent'))), dataDir }
  const settings = { ...(await databaseSettings(cluster)), DATA_DIR: cluster.dataDir, LOG_LEVEL: 'warn', ...more }
  const service = await openService(readConfig(settings), { kind: 'command', label: 'bench' }, createLog('silent'))
  const operator = admitOperator(service.ctx, 'bench')
  const program = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  let server = await startServer(settings, 'build', program)
  const postmaster = Number(readFileSync(`${cluster.dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0])
  return {
    service,
    ownerUrl: settings.OWNER_DATABASE_URL,
    port: () => Number(new URL(server.url).port),
    pid: () => server.pid,
    postmaster,
    /** A tenant with one site at a fixed difficulty, the lowest by default. `limits`: calls per second and burst of the site. */
    async addSite(name: string, limits = UNLIMITED, hostname = 'shop.example', policy = LEAST): Promise<Site> {
      const tenant = await createTenant(operator, { name, quota: 1_000_000_000 })
      const site = await createSite(operator, tenant, { name, hostnames: [hostname] })
      await service.ctx.prisma.site.update({
        where: { id: site.id },
        data: { workMode: 'fixed', ...policy, ...limits },
      })
      return site
    },
    /** Ends the service and starts another on the same database. */
    async restart(): Promise<void> {
      await server.end()
      server = await startServer(settings, 'build')
    },
    async close(): Promise<void> {
      await server.end()
      await service.close()
      await cluster.close()
    },
  }
}

export type Bed = Awaited<ReturnType<typeof openBed>>

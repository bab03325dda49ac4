import { readConfig } from '../../../server/kit/config/config.ts'
import { createLog } from '../../../server/kit/process/log.ts'
import { openService } from '../../../server/kit/service.ts'
import { reconcile } from '../../../server/ledger/quota/reconcile.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { startServer } from '../../../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../../../test/support/temporary.ts'

/** A server on loopback, and sites of two tenants. */
export type Target = { url: string; site: MadeSite; other: MadeSite }

/** Sites with limits that are never reached. */
const POLICY = {
  baseWork: 32,
  workMode: 'fixed',
  ratePerSecond: 100_000,
  rateBurst: 200_000,
  subjectLimit: 1_000_000,
} as const

type Ctx = Parameters<typeof makeSite>[0]

export async function makeTarget(ctx: Ctx, url: string): Promise<Target> {
  const site = await makeSite(ctx, { quota: 1_000_000, policy: POLICY })
  return { url, site, other: await makeSite(ctx, { quota: 1_000_000, policy: POLICY }) }
}

/** Starts PostgreSQL and the server for a run, and compares charges with decisions at its end. */
export async function openTarget(): Promise<Target & { end(): Promise<{ mismatches: number; alive: boolean }> }> {
  const opened: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const one of opened.splice(0).toReversed()) await one()
  }
  try {
    const cluster = await openTemporaryCluster('fuzzing')
    opened.push(() => cluster.close())
    const settings = { ...(await databaseSettings(cluster)), DATA_DIR: cluster.dataDir }
    const service = await openService(readConfig(settings), { kind: 'command', label: 'fuzzing' }, createLog('silent'))
    opened.push(() => service.close())
    const server = await startServer({ ...settings, TRUSTED_PROXIES: '127.0.0.0/8' })
    opened.push(() => server.end())
    return {
      ...(await makeTarget(service.ctx, server.url)),
      async end() {
        const alive = (await fetch(`${server.url}/readyz`)).ok
        const mismatches = (await reconcile(service.ctx)).mismatches.length
        await close()
        return { mismatches, alive }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

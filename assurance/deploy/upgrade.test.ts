import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMigrations } from '../../server/kit/db/migrate.ts'
import type { Cluster } from '../../server/kit/embedded/open.ts'
import { type ServerProcess, serverProgram, startCommand, startServer } from '../../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../../test/support/temporary.ts'
import { History } from '../faults/history.ts'
import { Merchant } from '../faults/merchant.ts'
import { reconcileHistory } from '../faults/reconcile.ts'

/** The last release (tag v0.1.0), from whose tables this version's migrations continue. */
const RELEASED = '7c181a238325df3b4311e00a7bb88b9b28be7167'
/** How long merchants buy from the nodes of each stage. */
const STAGE_MS = 2000
const PLAN = { quota: 1_000_000, balance: 0 }

const known = spawnSync('git', ['cat-file', '-e', `${RELEASED}^{commit}`]).status === 0
const title = known ? '' : ' (skipped: the clone has no history)'

/** The files of the release, with the dependencies of this version. */
function checkOut(folder: string): void {
  const archive = execFileSync('git', ['archive', RELEASED], { maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  // links to the files, because packages find the client that is generated beside them
  execFileSync('cp', ['-al', resolve('node_modules'), folder])
  execFileSync(process.execPath, ['scripts/generate.mjs'], { cwd: folder })
}

describe.runIf(known)(`this version beside the last release${title}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  /** The arguments of `env` that run an entry point of the release. */
  const released = (name: 'main' | 'cli') => ['-C', folder, process.execPath, ...serverProgram(name, 'sources')]
  const nodes: ServerProcess[] = []
  let cluster: Cluster
  let owner: pg.Pool
  let settings: { DATABASE_URL: string; OWNER_DATABASE_URL: string; TOLLGATE_KEYS: string }
  beforeAll(async () => {
    checkOut(folder)
    cluster = await openTemporaryCluster('upgrade')
    const keys = { TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}` }
    settings = { ...(await databaseSettings(cluster)), ...keys }
    owner = new pg.Pool({ connectionString: settings.OWNER_DATABASE_URL, max: 1 })
  }, 300_000)
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await owner?.end()
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const runReleased = (...args: string[]) => {
    const output = execFileSync('env', [...released('cli'), ...args, '--json'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...settings },
    })
    return JSON.parse(output) as Record<string, string>
  }
  /** Replaces a node as a rolling restart does: the next one is ready before the former one is stopped. */
  const replace = async (i: number, next: Promise<ServerProcess>) => {
    const former = nodes[i]
    nodes[i] = await next
    await former?.end()
  }
  const startReleased = () => startCommand(['env', ...released('main')], settings)

  test('loses nothing while it is installed, and while it is rolled back', async () => {
    runReleased('migrate')
    const { tenant_id: tenantId = '' } = runReleased(
      'tenant',
      'create',
      '--name',
      'Shop',
      '--quota',
      String(PLAN.quota),
    )
    const made = ['--tenant', tenantId, '--name', 'Shop', '--hostname', 'shop.example', '--kind', 'sha256']
    const { site_id: siteId = '', sitekey = '', secret = '' } = runReleased('site', 'create', ...made)
    await owner.query('update site set base_work = 64, rate_per_second = 10000, rate_burst = 20000')
    nodes.push(await startReleased(), await startReleased())

    const history = new History(join(folder, 'history.jsonl'))
    history.write({ kind: 'books', tenant: tenantId, ...PLAN })
    const ports = () => nodes.map(({ url }) => Number(new URL(url).port))
    const merchant = new Merchant(history, ports, [{ tenantId, siteId, sitekey, secret }], { clients: 4, pauseMs: 50 })
    const acknowledged: number[] = []
    const stage = async (change: () => Promise<void> | void) => {
      await change()
      const first = merchant.acknowledgements.length
      await sleep(STAGE_MS)
      acknowledged.push(merchant.acknowledgements.length - first)
    }
    await stage(() => {})
    await stage(() => {
      execFileSync(process.execPath, [...serverProgram('cli'), 'migrate'], { env: { ...process.env, ...settings } })
    })
    await stage(() => replace(0, startServer(settings)))
    await stage(() => replace(1, startServer(settings)))
    await stage(() => replace(0, startReleased()))
    await stage(() => replace(1, startReleased()))
    expect(await merchant.settle(60)).toBe(0)
    await merchant.replay()
    history.close()
    const { violations, redeemed } = await reconcileHistory(settings.OWNER_DATABASE_URL, history.path)
    expect(violations).toEqual([])
    expect(redeemed).toBeGreaterThan(50)
    // in every stage something was bought
    expect(Math.min(...acknowledged)).toBeGreaterThan(0)
    expect(acknowledged).toHaveLength(6)
    const { rowCount } = await owner.query('select from _prisma_migrations')
    expect(rowCount).toBe(readMigrations('prisma/migrations').length)
    expect(rowCount).toBeGreaterThan(readMigrations(join(folder, 'prisma/migrations')).length)
    // six nodes and four commands start from sources, one after the other
  }, 900_000)
})

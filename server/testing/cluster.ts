import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openCluster } from '../kit/embedded/open.ts'
import { createLog } from '../kit/log.ts'
import { migrate, readMigrations } from '../kit/migrate.ts'

/** Vitest's global set-up: one real PostgreSQL for the run, and the migrated template that test files clone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const cluster = await openCluster(dataDir, { kind: 'service', label: 'tollgate tests' }, createLog('silent'))
  await cluster.createDatabase('template_tollgate')
  await migrate(cluster.url('template_tollgate'), readMigrations('prisma/migrations'))
  project.provide('cluster', cluster.url('postgres'))
  return async () => {
    await cluster.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

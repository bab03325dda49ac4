import type { TestProject } from 'vitest/node'
import { migrate, readSchema } from '../../server/kit/db/migrate.ts'
import { openDatabase } from '../../server/kit/embedded/database.ts'
import { openTemporaryCluster } from './temporary.ts'

/** Vitest's global set-up: one real PostgreSQL for the run, and the migrated template that test files clone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await openTemporaryCluster('tollgate tests')
  const { owner, service } = await openDatabase(cluster, 'template_tollgate')
  await migrate(owner, readSchema(), { service: new URL(service).username })
  project.provide('cluster', cluster.url('postgres'))
  project.provide('template', { owner, service })
  return () => cluster.close()
}

import type { TestProject } from 'vitest/node'
import { migrate, readSchema } from '../../server/kit/migrate.ts'
import { openTemporaryCluster } from './temporary.ts'

/** Vitest's global set-up: one real PostgreSQL for the run, and the migrated template that test files clone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await openTemporaryCluster('tollgate tests')
  await cluster.createDatabase('template_tollgate')
  await migrate(cluster.url('template_tollgate'), readSchema())
  project.provide('cluster', cluster.url('postgres'))
  return () => cluster.close()
}

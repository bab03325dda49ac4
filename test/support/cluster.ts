import type { TestProject } from 'vitest/node'
import { findPython } from '../../scripts/python.mjs'
import { openDatabase } from '../../server/kit/embedded/database.ts'
import { migrate, readSchema } from '../../server/kit/migrate.ts'
import { openTemporaryCluster } from './temporary.ts'

/**
 * Vitest's global set-up: one real PostgreSQL for the run, the migrated template that test files clone, and the Python that
 * starts merchants.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env['PYTHON'] = findPython() ?? ''
  const cluster = await openTemporaryCluster('tollgate tests')
  const { owner, service } = await openDatabase(cluster, 'template_tollgate')
  await migrate(owner, readSchema(), new URL(service).username)
  project.provide('cluster', cluster.url('postgres'))
  project.provide('template', { owner, service })
  return () => cluster.close()
}

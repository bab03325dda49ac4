import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, openCluster } from '../../server/kit/embedded/open.ts'
import { createLog } from '../../server/kit/log.ts'

/** A real PostgreSQL in a directory of its own, removed when it is closed. */
export async function openTemporaryCluster(label: string): Promise<Cluster & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-'))
  // as root, PostgreSQL's own account must be able to enter
  chmodSync(dataDir, 0o755)
  const cluster = await openCluster(dataDir, { kind: 'service', label }, createLog('silent'))
  return {
    ...cluster,
    dataDir,
    async close() {
      await cluster.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

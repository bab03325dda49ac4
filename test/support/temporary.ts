import { chmodSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../server/kit/embedded/database.ts'
import { type Cluster, openCluster } from '../../server/kit/embedded/open.ts'
import { createLog } from '../../server/kit/process/log.ts'

/** Where Linux keeps files in memory: what waits for the disk, as every commit and every dropped database does, is fast. */
const MEMORY = '/dev/shm'
/** A cluster takes a tenth of it at most; a container often has 64 MB in all. */
const NEEDED_BYTES = 3 * 1024 ** 3

/**
 * A real PostgreSQL in a directory of its own, removed when it is closed. Its files are in memory where there is room for
 * them; `onDisk`: never, because something is measured.
 */
export async function openTemporaryCluster(
  label: string,
  { onDisk = false } = {},
): Promise<Cluster & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-'))
  const memory = !onDisk && hasRoomInMemory() ? mkdtempSync(join(MEMORY, 'tollgate-')) : undefined
  // as root, PostgreSQL's account needs access
  for (const each of [dataDir, memory]) if (each) chmodSync(each, 0o755)
  // programs are not run from memory, so that only the cluster is there
  if (memory) symlinkSync(join(memory, 'postgres'), join(dataDir, 'postgres'))
  const cluster = await openCluster(dataDir, { kind: 'service', label }, createLog('silent'))
  if (memory) await limitWriteAheadLog(cluster.url('postgres'))
  return {
    ...cluster,
    dataDir,
    async close() {
      await cluster.close()
      for (const each of [dataDir, memory]) if (each) rmSync(each, { recursive: true, force: true })
    },
  }
}

/** The settings of a service on its own database of the cluster, with the roles of an embedded one. */
export async function databaseSettings(
  cluster: Cluster,
): Promise<{ DATABASE_URL: string; OWNER_DATABASE_URL: string }> {
  const { owner, service } = await openDatabase(cluster)
  return { DATABASE_URL: service, OWNER_DATABASE_URL: owner }
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > NEEDED_BYTES
  } catch {
    return false
  }
}

async function limitWriteAheadLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`alter system set max_wal_size = '256MB'`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

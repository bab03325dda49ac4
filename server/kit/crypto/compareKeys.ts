import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import { OperatorError } from '../error.ts'
import { fingerprintOf, type Keyring } from './keyring.ts'

/** Of the lock that the comparisons of all nodes wait for, so that of two first starts one finds the keys of the other. */
const LOCK = 72707370

type Known = { id: string; fingerprint: string; isCurrent: boolean }

/** All keys that a node has had, and the one that seals by the newest start. */
const KNOWN = `select id, fingerprint,
    last_start_at is not null and last_start_at = max(last_start_at) over () as "isCurrent"
  from sealing_key order by id`

const RECORD = `insert into sealing_key (id, fingerprint, last_start_at)
  select id, fingerprint, case when id = $3 then clock_timestamp() end from unnest($1::text[], $2::text[]) as t(id, fingerprint)
  on conflict (id) do update set last_start_at = coalesce(excluded.last_start_at, sealing_key.last_start_at)`

/**
 * Compares the sealing keys with those of the other nodes of the database, and records them if `isNode`. Throws OperatorError if a
 * key has the id of another one, or if the key is missing that the nodes seal with. With the embedded database, which no other node
 * uses, a missing key is only logged: what it sealed is lost.
 */
export async function compareKeys(
  pool: pg.Pool,
  {
    keyring,
    config,
    isNode,
    warn,
  }: { keyring: Keyring; config: Config; isNode: boolean; warn: (text: string) => void },
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const { rows } = await client.query<Known>(KNOWN)
    const source = config.keys ? 'TOLLGATE_KEYS' : join(config.dataDir, 'keys.json')
    for (const known of rows) {
      const own = keyring.byId.get(known.id)
      if (own && fingerprintOf(own) !== known.fingerprint) throw new OperatorError(differs(known.id, source))
      if (own || !known.isCurrent) continue
      if (config.databaseUrl !== undefined) throw new OperatorError(isMissing(known.id, source))
      warn(`${source} does not contain the sealing key ${known.id}, so what it sealed cannot be opened`)
    }
    const keys = [...keyring.byId.values()]
    if (isNode) await client.query(RECORD, [keys.map(({ id }) => id), keys.map(fingerprintOf), keyring.current.id])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

const differs = (id: string, source: string): string =>
  `The sealing key ${id} in ${source} is not the key ${id} that nodes of this database use: copy their keys, or give a new key an id of its own (docs/settings.md, "The keys of all nodes").`

const isMissing = (id: string, source: string): string =>
  `The sealing key ${id}, which the nodes of this database seal with, is not in ${source}: copy their keys or, if it is lost, see docs/settings.md, "The keys of all nodes".`

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A path for a merchant's SQLite file in a folder of its own. */
export function createRecords(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-accept-'))
  return { file: join(folder, 'records.sqlite3'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

import { readFile } from 'node:fs/promises'
import { db } from './config.ts'

/** Creates the tables of schema.sql where they are missing. In production, a migration does this. */
export async function createTables(): Promise<void> {
  await db.query(await readFile(new URL('schema.sql', import.meta.url), 'utf8'))
}

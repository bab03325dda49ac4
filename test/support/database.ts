import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseUrls } from '../../server/kit/embedded/database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the test cluster's maintenance database, for its superuser. */
    cluster: string
    /** Connection strings of the migrated template. */
    template: DatabaseUrls
  }
}

/** `url`: for the role that owns it, for the test's own SQL. `serviceUrl`: for the role that the service runs as. */
export type TestDatabase = { name: string; url: string; serviceUrl: string; close(): Promise<void> }

/** A connection string with another database. */
export function withDatabase(url: string, database: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${database}`
  return parsed.href
}

/**
 * Creates a database for the test file on the run's PostgreSQL, cloned from the migrated template
 * (`empty`: without tables). Files run in parallel without sharing data.
 */
export async function openTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const cluster = inject('cluster')
  const name = `test_${randomBytes(8).toString('hex')}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: cluster })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  const { owner, service } = inject('template')
  await run(
    `create database ${name} owner ${new URL(owner).username}${options.empty ? '' : ' template template_tollgate'}`,
  )
  // as the embedded one has them; a copy of a database does not get them
  await run(`revoke connect, temporary on database ${name} from public`)
  await run(`grant connect on database ${name} to ${new URL(service).username}`)
  return {
    name,
    url: withDatabase(owner, name),
    serviceUrl: withDatabase(service, name),
    close: () => run(`drop database if exists ${name} with (force)`),
  }
}

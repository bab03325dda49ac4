import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the test cluster's maintenance database. */
    cluster: string
  }
}

export type TestDatabase = { url: string; close(): Promise<void> }

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
  await run(`create database ${name}${options.empty ? '' : ' template template_tollgate'}`)
  return { url: withDatabase(cluster, name), close: () => run(`drop database if exists ${name} with (force)`) }
}

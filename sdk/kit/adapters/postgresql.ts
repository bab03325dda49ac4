import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A database for one merchant. */
export type Records = {
  /** What the merchant opens: a connection string of PostgreSQL, or a SQLite file. */
  address: string
  /** Rows of the table; 0 while the merchant has not created it. */
  count(): Promise<number>
  /** Deletes the database. */
  close(): Promise<void>
}

/**
 * An empty database of its own for a merchant, on the PostgreSQL server of the environment variable ACCEPT_DATABASE_URL.
 * @throws Error if the variable is missing
 */
export async function createPostgresql(table: string): Promise<Records> {
  const server = process.env['ACCEPT_DATABASE_URL']
  if (!server)
    throw new Error('set ACCEPT_DATABASE_URL to a PostgreSQL database whose role may create others: postgresql://…')
  const name = `accept_${randomBytes(8).toString('hex')}`
  const onServer = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await onServer(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 1 })
  pool.on('error', () => {})
  return {
    address: url.href,
    async count() {
      const { rows } = await pool.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
      if (!rows[0]?.there) return 0
      const counted = await pool.query<{ n: number }>(`select count(*)::int as n from ${pg.escapeIdentifier(table)}`)
      return counted.rows[0]?.n ?? 0
    },
    async close() {
      await pool.end()
      await onServer(`drop database if exists ${name} with (force)`)
    },
  }
}

import { DatabaseError, Pool, type PoolClient, type QueryResultRow } from 'pg'
import { describeError, type Log } from './log.ts'

/** Runs one statement and returns its rows. @throws DatabaseOutage, or pg's DatabaseError if the statement is at fault */
export type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>

export type Database = {
  query: Query
  /** Runs `work` in one transaction: all of it is committed, or nothing. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The database cannot be reached or cannot answer now. The visitor may come again; nothing is wrong with the request. */
export class DatabaseOutage extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause })
    this.name = 'DatabaseOutage'
  }
}

/** Opens a pool in which every wait has a bound. Does not connect yet. */
export function openDatabase(connectionString: string, log: Log): Database {
  const pool = new Pool({
    connectionString,
    max: 8,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 3_000,
    query_timeout: 4_000,
  })
  // Without these listeners a connection that breaks, idle or in use, ends the process.
  pool.on('error', (error) => log('database-connection-lost', describeError(error)))
  pool.on('connect', (client) => client.on('error', (error) => log('database-connection-lost', describeError(error))))

  return {
    query: (text, values) => run(pool, text, values),

    async transaction(work) {
      const client = await pool.connect().catch(rethrow)
      try {
        await run(client, 'begin')
        const result = await work((text, values) => run(client, text, values))
        await run(client, 'commit')
        client.release()
        return result
      } catch (error) {
        // Closing the connection rolls back, also when it is the connection that failed.
        client.release(true)
        throw error
      }
    },

    close: () => pool.end(),
  }
}

async function run<Row extends QueryResultRow>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await on.query<Row>(text, [...values]).catch(rethrow)
  return result.rows
}

/** Tells a statement that is wrong from a database that is away: connection, resources, operator, system (SQLSTATE classes). */
function rethrow(error: unknown): never {
  if (error instanceof DatabaseError && !/^(08|53|57|58)/.test(error.code ?? '')) throw error
  throw new DatabaseOutage(error)
}

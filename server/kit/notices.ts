import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Prisma, PrismaClient } from '../../prisma/client/client.ts'
import type { Log } from './log.ts'

const CHANNEL = 'tollgate_changed'
const RETRY_MS = 500

/** Hears which tenant changed; undefined: any may have, because notices may have been missed. */
type Listener = (tenantId: string | undefined) => void

/** Changes of what processes keep in mind of a tenant, told over PostgreSQL's LISTEN/NOTIFY. */
export interface Notices {
  /** Whether changes made by other processes arrive here: only then may what is in mind be believed. */
  readonly arriving: boolean
  listen(listener: Listener): void
  /** Tells this process's listeners, without the way over the database. */
  tell(tenantId: string): void
  close(): Promise<void>
}

/** Tells every process, when and only if the transaction commits. */
export async function notify(prisma: PrismaClient | Prisma.TransactionClient, tenantId: string): Promise<void> {
  await prisma.$executeRaw`select pg_notify(${CHANNEL}, ${tenantId})`
}

/**
 * Listens on a connection of its own, and connects again whenever that ends; what may have been missed in between is
 * told as `undefined`. Without `url` nothing arrives: for commands, which keep nothing in mind.
 */
export function openNotices(url: string | undefined, log: Log): Notices {
  const listeners: Listener[] = []
  const tell: Listener = (tenantId) => {
    for (const listener of listeners) listener(tenantId)
  }
  let arriving = false
  const closing = new AbortController()
  let client: pg.Client | undefined

  async function hear(connectionString: string): Promise<void> {
    const connection = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
      application_name: 'tollgate notices',
    })
    client = connection
    connection.on('notification', (notice) => tell(notice.payload))
    connection.on('error', (err) => log.debug({ err }, 'the connection for notices ended'))
    const ended = new Promise<void>((resolve) => connection.once('end', resolve))
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
      tell(undefined)
      arriving = true
      await ended
    } catch (err) {
      log.debug({ err }, 'no connection for notices')
      await connection.end().catch(() => {})
    } finally {
      arriving = false
    }
  }

  async function keepHearing(connectionString: string): Promise<void> {
    while (!closing.signal.aborted) {
      await hear(connectionString)
      await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  if (url !== undefined) void keepHearing(url)

  return {
    get arriving() {
      return arriving
    },
    listen: (listener) => void listeners.push(listener),
    tell,
    async close() {
      closing.abort()
      await client?.end().catch(() => {})
    },
  }
}

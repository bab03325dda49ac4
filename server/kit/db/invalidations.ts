import { setTimeout as sleep } from 'node:timers/promises'
import type { Prisma, PrismaClient } from '../../../prisma/client/client.ts'
import type { Log } from '../process/log.ts'
import { Client } from './driver.ts'

const CHANNEL = 'tollgate_changed'
const RETRY_MS = 500

/** In place of a tenant's id: what belongs to no tenant and is the same for all. */
export const DEPLOYMENT = 'deployment'

/**
 * Receives the id of the changed tenant, or the name of something else that nodes keep in memory; undefined if anything may
 * have changed because messages may have been lost.
 */
type Subscriber = (changed: string | undefined) => void

/** Informs every process, through PostgreSQL's LISTEN/NOTIFY, that its cached facts, of a tenant as a rule, are out of date. */
export interface Invalidations {
  /** Whether changes made by other processes arrive here. Caches may be used only while they do. */
  readonly connected: boolean
  subscribe(subscriber: Subscriber): void
  /** Calls this process's subscribers directly, without the database. */
  publish(changed: string): void
  close(): Promise<void>
}

/** Notifies every process when the transaction commits, and only then. */
export async function notify(prisma: PrismaClient | Prisma.TransactionClient, changed: string): Promise<void> {
  await prisma.$executeRaw`select pg_notify(${CHANNEL}, ${changed})`
}

/**
 * Listens on a connection of its own, and reconnects when it ends; subscribers then receive `undefined`, because
 * messages may have been lost. Without `url`, as in commands, nothing is received and nothing cached.
 */
export function openInvalidations(url: string | undefined, log: Log): Invalidations {
  const subscribers: Subscriber[] = []
  const publish: Subscriber = (changed) => {
    for (const subscriber of subscribers) subscriber(changed)
  }
  let connected = false
  const closing = new AbortController()
  let client: Client | undefined

  /** Resolves when the connection has ended. */
  async function listen(connectionString: string): Promise<void> {
    const connection = new Client({
      connectionString,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
      application_name: 'tollgate invalidations',
    })
    client = connection
    connection.on('notification', (message) => publish(message.payload))
    connection.on('error', (err) => log.debug({ err }, 'the connection for invalidations was closed'))
    const ended = new Promise<void>((resolve) => connection.once('end', resolve))
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
      publish(undefined)
      connected = true
      await ended
    } catch (err) {
      log.debug({ err }, 'could not connect for invalidations')
      await connection.end().catch(() => {})
    } finally {
      connected = false
    }
  }

  async function keepListening(connectionString: string): Promise<void> {
    while (!closing.signal.aborted) {
      await listen(connectionString)
      await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  if (url !== undefined) void keepListening(url)

  return {
    get connected() {
      return connected
    },
    subscribe: (subscriber) => void subscribers.push(subscriber),
    publish,
    async close() {
      closing.abort()
      await client?.end().catch(() => {})
    },
  }
}

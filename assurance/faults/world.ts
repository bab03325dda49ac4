import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../server/kit/config/config.ts'
import type { Context } from '../../server/kit/context.ts'
import { type Cluster, openCluster } from '../../server/kit/embedded/open.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openService } from '../../server/kit/service.ts'
import { childrenOf, type ServerProcess, startServer } from '../../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../../test/support/temporary.ts'
import { CuttingProxy } from './cuttingProxy.ts'
import { type Disk, mountDisk } from './disk.ts'

/** A process of the service, and the proxy in front of it through which merchants reach it. */
export type Node = {
  readonly entry: CuttingProxy
  readonly process: ServerProcess
  /** Ends the process with the signal, and starts another on the same port. */
  restart(signal: NodeJS.Signals): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL, two nodes of the service, and proxies between them and before them. */
export type World = {
  ctx: Context
  /** As the owner of the tables, and never through a proxy. */
  owner: pg.Pool
  /** Connection string of the database, for the owner of the tables. */
  ownerUrl: string
  /** Connection string of the database, for the cluster's superuser. */
  superuserUrl: string
  /** Runs SQL as the superuser, on a connection of its own, because faults end connections. */
  superuser<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>
  /** What a node is started with. `DATABASE_URL` leads through `toDatabase`. */
  settings: Record<string, string>
  /** The database without the proxy, for the role of the service. */
  directUrl: string
  toDatabase: CuttingProxy
  nodes: Node[]
  /** Where merchants send their requests. */
  entries(): number[]
  /** Starts another node; it is closed by `heal`. */
  addNode(settings: Record<string, string>): Promise<Node>
  /** The file system of the cluster; or why it has none of its own. */
  disk: Disk | string
  /** The processes of PostgreSQL: the postmaster first. */
  postgres(): number[]
  /** Ends the disturbance: nothing is cut, no node is added, and all nodes are ready. */
  heal(): Promise<void>
  close(): Promise<void>
}

async function startNode(settings: Record<string, string>): Promise<Node> {
  let process = await startServer(settings, 'build')
  const port = new URL(process.url).port
  const entry = await CuttingProxy.open(Number(port))
  return {
    entry,
    get process() {
      return process
    },
    async restart(signal) {
      await process.end(signal)
      process = await startServer({ ...settings, PORT: port }, 'build')
    },
    async close() {
      await process.end('SIGKILL')
      await entry.close()
    },
  }
}

async function openDisk(disk: Disk | string): Promise<Cluster & { dataDir: string }> {
  if (typeof disk === 'string') return openTemporaryCluster('faults')
  return {
    dataDir: disk.path,
    ...(await openCluster(disk.path, { kind: 'service', label: 'faults' }, createLog('silent'))),
  }
}

function throughProxy(url: string, port: number): string {
  const parsed = new URL(url)
  parsed.port = String(port)
  return parsed.href
}

export async function openWorld(): Promise<World> {
  const disk = mountDisk()
  const cluster = await openDisk(disk)
  const { DATABASE_URL: directUrl, OWNER_DATABASE_URL } = await databaseSettings(cluster)
  const toDatabase = await CuttingProxy.open(Number(new URL(directUrl).port))
  const keys = { TOLLGATE_KEYS: `t1:${randomBytes(32).toString('base64url')}`, LOG_LEVEL: 'warn' }
  const service = await openService(
    readConfig({ DATABASE_URL: directUrl, OWNER_DATABASE_URL, ...keys }),
    { kind: 'command', label: 'faults' },
    createLog('silent'),
  )
  const superuserUrl = cluster.url('tollgate')
  const owner = new pg.Pool({ connectionString: OWNER_DATABASE_URL, max: 2 })
  owner.on('error', () => {})
  owner.on('connect', (client) => client.on('error', () => {}))
  const settings = {
    DATABASE_URL: throughProxy(directUrl, toDatabase.port),
    OWNER_DATABASE_URL,
    TENANT_CALLS_PER_SECOND: '100000',
    SHUTDOWN_DELAY: '1',
    GRANTS: 'on',
    ...keys,
  }
  const nodes = await Promise.all([startNode(settings), startNode(settings)])
  const added: Node[] = []
  return {
    ctx: service.ctx,
    owner,
    ownerUrl: OWNER_DATABASE_URL,
    superuserUrl,
    async superuser<Row extends pg.QueryResultRow>(sql: string) {
      const client = new pg.Client({ connectionString: superuserUrl })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end().catch(() => {})
      }
    },
    settings,
    directUrl,
    toDatabase,
    nodes,
    disk,
    entries: () => [...nodes, ...added].map(({ entry }) => entry.port),
    async addNode(more) {
      const node = await startNode({ ...settings, ...more })
      added.push(node)
      return node
    },
    postgres() {
      const [pid] = readFileSync(join(cluster.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
      return [Number(pid), ...childrenOf(Number(pid))]
    },
    async heal() {
      toDatabase.cut()
      for (const { entry } of nodes) entry.cut()
      await Promise.all(added.splice(0).map((node) => node.close()))
      await Promise.all(nodes.map(waitUntilReady))
    },
    async close() {
      await Promise.all([...nodes, ...added].map((node) => node.close()))
      await Promise.all([service.close(), owner.end(), toDatabase.close()])
      await cluster.close()
      if (typeof disk !== 'string') disk.close()
    },
  }
}

const READY_MS = 60_000

async function waitUntilReady({ process }: Node): Promise<void> {
  for (const deadline = Date.now() + READY_MS; ; await sleep(100)) {
    const isReady = await fetch(`${process.url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (isReady) return
    if (Date.now() > deadline)
      throw new Error(`a node is not ready ${READY_MS / 1000} s after the fault:\n${process.output()}`)
  }
}

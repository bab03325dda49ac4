import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor } from '../../server/kit/embedded/account.ts'
import { hasProgram } from '../deploy/proxy.ts'
import { Machine, PASSWORD, type Site } from './machine.ts'
import { primaryOf, whole } from './patroni.ts'

const MEMORY = '/dev/shm'

/** The programs that this machine lacks: apt-get install etcd-server patroni postgresql haproxy redis-sentinel pgbackrest. */
export const missingPrograms = (): string[] => [
  ...['etcd', 'patroni', 'haproxy', 'redis-sentinel', 'pgbackrest', 'pgbouncer'].filter((name) => !hasProgram(name)),
  ...(existsSync('/usr/lib/postgresql/15/bin/initdb') ? [] : ['postgresql-15']),
  // Patroni's file lets only the account postgres in without a password
  ...(accountFor('/none') ? [] : ['the rights of root']),
]

/** Three database machines, and one that runs HAProxy in front of them, all on addresses of loopback that nothing else uses. */
export type HaCluster = {
  site: Site
  machines: readonly [Machine, Machine, Machine]
  /** Of the primary through HAProxy, for a user of the database `tollgate`, or of another. */
  url(user: string, database?: string): string
  redisUrl: string
  close(): Promise<void>
}

/** A folder that every account can enter, in memory where there is some: nothing here tests the disk. */
function makeFolder(): string {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tollgate-ha-'))
  chmodSync(folder, 0o755)
  return folder
}

/** Two random numbers, so that two runs use different addresses and the same ports. */
const newPrefix = () => `127.${20 + Math.floor(Math.random() * 200)}.${1 + Math.floor(Math.random() * 250)}.`

/** Starts etcd and Patroni, which starts PostgreSQL. */
export function startDatabase(machine: Machine): void {
  const etcd = Object.fromEntries(
    readFileSync(machine.render('etcd'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('ETCD_'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  machine.run('etcd', [], etcd)
  startPatroni(machine)
}

export function startPatroni(machine: Machine): void {
  machine.render('pgbackrest.conf')
  machine.run('patroni', [machine.render('patroni.yml')])
}

/** Redis and its Sentinel. A machine that was away starts with the files that they rewrote, as on a real one. */
export function startRedis(machine: Machine): void {
  const replicaOf = machine.name === 'db1' ? '' : `replicaof ${machine.address.replace(/\d+$/, '21')} 6379\n`
  const file = (name: string, append = '') => {
    const path = join(machine.folder, 'etc', name)
    return existsSync(path) ? path : machine.render(name, append)
  }
  machine.run('redis-server', [file('redis.conf', replicaOf)])
  machine.run('redis-sentinel', [file('sentinel.conf')])
}

/** Runs SQL as the superuser. */
export async function runSql<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}

export function makeSite(): Site {
  const site = { folder: makeFolder(), prefix: newPrefix(), account: accountFor('/none') }
  const repository = join(site.folder, 'repository')
  mkdirSync(repository, { mode: 0o750 })
  if (site.account) chownSync(repository, site.account.uid, site.account.gid)
  return site
}

export const makeMachines = (site: Site) =>
  [new Machine(site, 'db1', 21), new Machine(site, 'db2', 22), new Machine(site, 'db3', 23)] as const

/** The URL of the Redis that the Sentinels name. */
export const redisUrlOf = (machines: readonly Machine[]): string =>
  `redis+sentinel://:${PASSWORD}@${machines.map(({ address }) => `${address}:26379`).join(',')}/tollgate?sentinel_password=${PASSWORD}`

/** Starts everything and creates the roles and the database of a deployment, as docs/high-availability.md says. */
export async function openHaCluster(report: (line: string) => void = () => {}): Promise<HaCluster> {
  const site = makeSite()
  const machines = makeMachines(site)
  const entry = new Machine(site, 'entry', 11)
  const url = (user: string, database = 'tollgate') =>
    `postgresql://${user}:${PASSWORD}@${entry.address}:5432/${database}`
  const close = async () => {
    await Promise.all([...machines, entry].map((machine) => machine.crash()))
    rmSync(site.folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    for (const machine of machines) {
      startDatabase(machine)
      startRedis(machine)
    }
    await until(async () => closeEtcd(machines[0]))
    await whole(machines)
    const primary = await until(() => primaryOf(machines))
    report(`three machines on ${site.prefix}21 to ${site.prefix}23`)
    createRoles(primary)
    primary.execute('pgbackrest', ['--config', primary.render('pgbackrest.conf'), '--stanza=tollgate', 'stanza-create'])
    entry.run('haproxy', ['-db', '-f', entry.render('haproxy.cfg')])
    await until(async () => {
      // it takes all three for the primary until it has asked them, and gives connections to one after another
      for (let i = 0; i < machines.length; i++) await runSql(url('tollgate_owner'), 'create temporary table probe ()')
    })
    return { site, machines, url, redisUrl: redisUrlOf(machines), close }
  } catch (error) {
    const logs = machines.map(({ folder }) => tailOf(join(folder, 'log/patroni.log')))
    await close()
    throw new Error(`the cluster did not start:\n${logs.join('\n')}`, { cause: error })
  }
}

/** As docs/high-availability.md says. Throws until etcd has a leader, or if it is still open. */
function closeEtcd({ address }: Machine): void {
  execFileSync('sh', ['deploy/ha/etcd-auth.sh'], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], ADDRESS: address, ETCD_PASSWORD: PASSWORD },
  })
}

/** As the superuser, on the primary itself. */
function createRoles({ address }: Machine): void {
  const superuser = { PGHOST: address, PGUSER: 'postgres', PGPASSWORD: PASSWORD, PGDATABASE: 'postgres' }
  execFileSync('sh', ['scripts/roles.sh'], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], ...superuser, OWNER_PASSWORD: PASSWORD, SERVICE_PASSWORD: PASSWORD },
  })
}

const tailOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').slice(-1500) : `${path} is missing`)

/** Repeats until it does not throw; throws what it threw last after 30 s. */
export async function until<Out>(work: () => Promise<Out>): Promise<Out> {
  for (let waited = 0; ; waited += 200) {
    try {
      return await work()
    } catch (error) {
      if (waited > 30_000) throw error
      await sleep(200)
    }
  }
}

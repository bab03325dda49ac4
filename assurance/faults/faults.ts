import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSite } from '../../test/support/make.ts'
import { childrenOf } from '../../test/support/process.ts'
import { openAbsentStandby } from '../../test/support/standby.ts'
import { startPgbouncer } from '../deploy/pgbouncer.ts'
import { hasProgram } from '../deploy/proxy.ts'
import { type CuttingProxy, type Decide, randomCut } from './cuttingProxy.ts'
import { flood } from './flood.ts'
import type { History } from './history.ts'
import type { World } from './world.ts'

/**
 * `skipped`: why this machine cannot have the fault. `inject`: disturbs the service under load for about so many seconds, and
 * returns how often it did.
 */
export type Fault = {
  name: string
  clients?: number
  skipped?(world: World): string | undefined
  inject(world: World, seconds: number, history: History): Promise<number>
}

/** Repeats until the time is over, at least once. `work` returns how often it disturbed; by default once. */
async function during(
  seconds: number,
  pauseMs: number,
  // oxlint-disable-next-line typescript/no-invalid-void-type
  work: (round: number) => Promise<number | void> | number | void,
): Promise<number> {
  const deadline = Date.now() + seconds * 1000
  let disturbed = 0
  for (let round = 0; round === 0 || Date.now() < deadline; round++) {
    disturbed += (await work(round)) ?? 1
    await sleep(pauseMs)
  }
  return disturbed
}

/** Cuts connections at a proxy for the time, and returns how many. */
async function cutting(proxies: readonly CuttingProxy[], seconds: number, decide: Decide): Promise<number> {
  const count = () => proxies.reduce((sum, { cuts }) => sum + cuts, 0)
  const before = count()
  for (const proxy of proxies) proxy.cut(decide)
  await sleep(seconds * 1000)
  for (const proxy of proxies) proxy.cut()
  return count() - before
}

/** Cuts one of so many requests of clients, anywhere between a request and its answer. */
export const cutClients = (world: World, seconds: number): Promise<number> =>
  cutting(
    world.nodes.map(({ entry }) => entry),
    seconds,
    () => (Math.random() < 0.15 ? randomCut() : undefined),
  )

const nodeOf = ({ nodes }: World, round: number) => nodes[round % nodes.length] as World['nodes'][number]

const HOT_PATH = `from pg_stat_activity where application_name = 'tollgate hot path'`

/** Statements that change something; the driver sends their names with their values. */
const WRITES = ['redeem', 'open_intents', 'report_feedback']

const libraries = '/usr/lib'
const faketime = existsSync(libraries)
  ? readdirSync(libraries)
      .map((architecture) => `${libraries}/${architecture}/faketime/libfaketime.so.1`)
      .find((path) => existsSync(path))
  : undefined

export const FAULTS: Fault[] = [
  {
    name: 'none: two nodes race for the same redemptions',
    clients: 24,
    inject: (_world, seconds) => sleep(seconds * 1000, 1),
  },
  {
    name: 'kill -9 of a node',
    inject: (world, seconds) => during(seconds, 1000, (round) => nodeOf(world, round).restart('SIGKILL')),
  },
  {
    name: 'kill -9 of a worker of a node with two',
    async inject(world, seconds) {
      const { process } = await world.addNode({ WORKERS: '2' })
      return during(seconds, 1500, () => {
        const worker = childrenOf(process.pid).at(-1)
        if (worker === undefined) return 0
        signal(worker, 'SIGKILL')
        return 1
      })
    },
  },
  {
    name: 'rolling restarts',
    inject: (world, seconds) => during(seconds, 500, (round) => nodeOf(world, round).restart('SIGTERM')),
  },
  {
    name: 'kill -9 of PostgreSQL',
    inject: (world, seconds) =>
      during(seconds, 4000, () => {
        const [postmaster] = world.postgres()
        if (postmaster !== undefined) signal(postmaster, 'SIGKILL')
      }),
  },
  {
    name: 'kill -9 of a backend',
    inject: (world, seconds) =>
      during(seconds, 2500, async () => {
        const [backend] = await world.superuser<{ pid: number }>(`select pid ${HOT_PATH} order by random() limit 1`)
        if (backend) signal(backend.pid, 'SIGKILL')
        return backend ? 1 : 0
      }),
  },
  {
    name: 'backends terminated',
    inject: (world, seconds) =>
      during(seconds, 300, async () => {
        const ended = await world.superuser(`select pg_terminate_backend(pid) ${HOT_PATH} and random() < 0.5`)
        return ended.length
      }),
  },
  {
    name: 'connections of clients cut',
    inject: cutClients,
  },
  {
    name: 'connections to PostgreSQL cut around a commit',
    inject: (world, seconds) =>
      cutting([world.toDatabase], seconds, (chunk) =>
        WRITES.some((name) => chunk.includes(name)) && Math.random() < 0.15 ? randomCut() : undefined,
      ),
  },
  {
    name: 'all connections to PostgreSQL reset',
    inject: (world, seconds) => during(seconds, 700, () => world.toDatabase.cutAll()),
  },
  {
    name: 'a node stalls',
    inject: (world, seconds) =>
      during(seconds, 500, async (round) => {
        const { pid } = nodeOf(world, round).process
        process.kill(pid, 'SIGSTOP')
        await sleep(5500)
        process.kill(pid, 'SIGCONT')
      }),
  },
  {
    name: 'PostgreSQL stalls',
    inject: (world, seconds) =>
      during(seconds, 1500, async () => {
        const backends = await world.superuser<{ pid: number }>(`select pid ${HOT_PATH}`)
        for (const { pid } of backends) signal(pid, 'SIGSTOP')
        await sleep(3000)
        for (const { pid } of backends) signal(pid, 'SIGCONT')
        return backends.length
      }),
  },
  {
    name: 'waits for a synchronous standby cancelled',
    async inject(world, seconds, history) {
      const standby = await openAbsentStandby(world.superuserUrl)
      try {
        await standby.require()
        const began = history.next
        const cancelled = await during(seconds, 50, async () => {
          const waits = await world.superuser(
            `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
          )
          return waits.length
        })
        history.write({ kind: 'unconfirmed', began })
        return cancelled
      } finally {
        await standby.dismiss()
        await standby.close()
      }
    },
  },
  {
    name: 'the disk is full',
    skipped: ({ disk }) => (typeof disk === 'string' ? disk : undefined),
    async inject({ disk }, seconds) {
      if (typeof disk === 'string') return 0
      return during(seconds, 1500, async () => {
        disk.fill()
        await sleep(3000)
        disk.free()
      })
    },
  },
  {
    name: 'a node whose clock is 25 seconds behind, and one 25 seconds ahead',
    skipped: () => (faketime === undefined ? 'needs libfaketime: apt-get install libfaketime' : undefined),
    async inject(world, seconds) {
      const wrong = { LD_PRELOAD: faketime ?? '', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      const nodes = await Promise.all(['-25s', '+25s'].map((FAKETIME) => world.addNode({ ...wrong, FAKETIME })))
      await sleep(seconds * 1000)
      return nodes.length
    },
  },
  {
    name: 'PgBouncer in transaction mode, and backends terminated',
    skipped: () => (hasProgram('pgbouncer') ? undefined : 'needs pgbouncer: apt-get install pgbouncer'),
    async inject(world, seconds) {
      const pooler = await startPgbouncer(world.directUrl, 'transaction')
      try {
        await world.addNode({ DATABASE_URL: pooler.url, DIRECT_URL: world.directUrl })
        return await during(seconds, 500, async () => {
          const ended = await world.superuser(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where client_port is not null and usename = 'tollgate_service' and random() < 0.3`,
          )
          return ended.length
        })
      } finally {
        await pooler.close()
      }
    },
  },
  {
    name: 'overload',
    async inject(world, seconds) {
      const site = await makeSite(world.ctx, {
        quota: 100_000_000,
        policy: { ratePerSecond: 1_000_000, rateBurst: 2_000_000 },
      })
      const answers = await Promise.all(world.nodes.map(({ process }) => flood(process.url, site, 800, seconds)))
      return answers.reduce((sum, each) => sum + each, 0)
    },
  },
]

/** A backend may end by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

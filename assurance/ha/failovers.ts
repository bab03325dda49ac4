import { setTimeout as sleep } from 'node:timers/promises'
import type { Merchant } from '../faults/merchant.ts'
import { type HaCluster, startDatabase, startPatroni, startRedis, until } from './cluster.ts'
import type { Machine } from './machine.ts'
import { leaderOf, primaryOf, switchOver, whole } from './patroni.ts'

const FROZEN = ['patroni', 'postgres', 'etcd', 'redis-server', 'redis-sentinel'] as const

type Fault = {
  about: string
  begin(cluster: HaCluster, primary: Machine): Promise<void>
  /** Brings the machine back, once writes are. */
  end(cluster: HaCluster, machine: Machine): Promise<void>
}

/** Ways to lose the primary. Kills are `kill -9`. */
export const FAULTS = {
  machine: {
    about: 'everything on the machine of the primary is killed, also etcd and Redis',
    begin: (_, primary) => primary.crash(),
    async end(_, machine) {
      startDatabase(machine)
      startRedis(machine)
    },
  },
  database: {
    about: 'Patroni and PostgreSQL of the primary are killed',
    begin: (_, primary) => primary.crash(['patroni', 'postgres']),
    async end(_, machine) {
      startPatroni(machine)
    },
  },
  postgres: {
    about: 'PostgreSQL is killed, Patroni runs on',
    begin: (_, primary) => primary.crash(['postgres']),
    end: async () => {},
  },
  frozen: {
    about: 'the machine of the primary stops for longer than its lease, and then continues',
    async begin(_, primary) {
      primary.signal('SIGSTOP', FROZEN)
    },
    async end(_, machine) {
      machine.signal('SIGCONT', FROZEN)
    },
  },
  switchover: {
    about: 'the lease is handed over, as before maintenance',
    async begin({ machines }, primary) {
      const members = machines.filter((each) => each !== primary)
      // Patroni answers with what it saw last
      await switchOver(primary, await until(() => synchronousOf(members)))
    },
    end: async () => {},
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

/** The standby that has every confirmed commit: the only one that may take over. */
async function synchronousOf(machines: readonly Machine[]): Promise<Machine> {
  for (const machine of machines) {
    const reply = await fetch(`http://${machine.address}:8008/sync`).catch(() => undefined)
    if (reply?.status === 200) return machine
  }
  throw new Error('there is no synchronous standby')
}

/**
 * `seconds`: the longest time without an acknowledged redemption. `copied`: machines that did not rejoin by themselves.
 * `wholeAfter`: seconds until three machines were part of the cluster again.
 */
export type Failover = {
  fault: FaultName
  from: string
  to: string
  seconds: number
  copied: string[]
  wholeAfter: number
}

const POLL_MS = 20

/** Loses the primary, waits until redemptions are acknowledged again, and brings back what was lost. */
export async function failOver(cluster: HaCluster, fault: FaultName, merchant: Merchant): Promise<Failover> {
  const { machines } = cluster
  const primary = await primaryOf(machines)
  const began = performance.now()
  await FAULTS[fault].begin(cluster, primary)
  let to: string | undefined
  while (to === undefined || to === primary.name) {
    if (performance.now() - began > 90_000) throw new Error(`no machine took over from ${primary.name}: ${fault}`)
    await sleep(POLL_MS)
    to = await leaderOf(machines.filter((each) => each !== primary))
  }
  const taken = performance.now()
  while ((merchant.acknowledgements.at(-1) ?? 0) <= taken) {
    if (performance.now() - taken > 60_000) throw new Error(`no redemption since ${to} took over: ${fault}`)
    await sleep(POLL_MS)
  }
  const seconds = longestPause(merchant.acknowledgements, began) / 1000
  await FAULTS[fault].end(cluster, primary)
  const copied = await whole(machines)
  return { fault, from: primary.name, to, seconds, copied, wholeAfter: (performance.now() - began) / 1000 }
}

/** The longest time without an acknowledgement since the fault began, in milliseconds. */
function longestPause(acknowledgements: readonly number[], began: number): number {
  const times = [began, ...acknowledgements.filter((ms) => ms > began)]
  return Math.max(...times.slice(1).map((ms, i) => ms - (times[i] ?? ms)))
}

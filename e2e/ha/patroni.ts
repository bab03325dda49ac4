import { setTimeout as sleep } from 'node:timers/promises'
import { type Machine, PASSWORD } from './machine.ts'

export type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

const TIMEOUT_MS = 1500

/** The members of the cluster as a machine's Patroni sees them; empty if it does not answer. */
export async function membersBy({ address }: Machine): Promise<Member[]> {
  try {
    const reply = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return ((await reply.json()) as { members: Member[] }).members
  } catch {
    return []
  }
}

/** The name of the machine whose Patroni says that it holds the lease, asked of each for itself. */
export async function leaderOf(machines: readonly Machine[]): Promise<string | undefined> {
  const answers = await Promise.all(
    machines.map(async ({ name, address }) => {
      const reply = await fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
        () => undefined,
      )
      return reply?.status === 200 ? name : undefined
    }),
  )
  return answers.find((name) => name !== undefined)
}

/** Throws if no machine holds the lease. */
export async function primaryOf(machines: readonly Machine[]): Promise<Machine> {
  const name = await leaderOf(machines)
  const primary = machines.find((machine) => machine.name === name)
  if (!primary) throw new Error('there is no primary')
  return primary
}

/** Whether there is a primary with a synchronous standby, and every machine is part of the cluster on one timeline. */
async function isWhole(machines: readonly Machine[]): Promise<boolean> {
  const [first] = machines
  if (!first) return false
  const members = await membersBy(first)
  const roles = members.map(({ role }) => role)
  return (
    members.length === machines.length &&
    roles.includes('leader') &&
    roles.includes('sync_standby') &&
    members.every(
      ({ state, role }) => state === (role === 'leader' ? 'running' : state) && /running|streaming/.test(state),
    ) &&
    new Set(members.map(({ timeline }) => timeline)).size === 1 &&
    members.every(({ lag = 0 }) => lag === 0 || (typeof lag === 'number' && lag < 1_000_000))
  )
}

/** Waits until the cluster could lose another machine. Throws with its members if it does not get there. */
export async function whole(machines: readonly Machine[], seconds = 120): Promise<void> {
  for (let waited = 0; !(await isWhole(machines)); waited += 250) {
    if (waited > seconds * 1000) {
      const seen = await Promise.all(machines.map(membersBy))
      throw new Error(`the cluster is not whole after ${seconds} s: ${JSON.stringify(seen)}`)
    }
    await sleep(250)
  }
}

/** Hands the lease to another machine, as before maintenance. */
export async function switchOver(from: Machine, to: Machine): Promise<void> {
  const reply = await fetch(`http://${from.address}:8008/switchover`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}`,
    },
    body: JSON.stringify({ leader: from.name, candidate: to.name }),
  })
  if (!reply.ok) throw new Error(`no switchover: ${reply.status} ${await reply.text()}`)
}

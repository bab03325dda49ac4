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

/** Whether a machine sees a primary with a synchronous standby, and every machine in the cluster on one timeline. */
const isWhole = (members: readonly Member[], count: number): boolean =>
  members.length === count &&
  members.some(({ role }) => role === 'leader') &&
  members.some(({ role }) => role === 'sync_standby') &&
  members.every(({ state }) => /^(running|streaming)$/.test(state)) &&
  new Set(members.map(({ timeline }) => timeline)).size === 1 &&
  members.every(({ lag = 0 }) => typeof lag === 'number' && lag < 1_000_000)

/** An answer costs etcd the check of a password hash: asked more often, etcd has no time to elect a leader on a busy machine. */
const EVERY_MS = 1000

/** After this many seconds, what does not rejoin by itself is copied anew, as docs/high-availability.md says. */
const COPY_AFTER = 45

/**
 * Waits until the cluster could lose another machine, as every machine sees it: one that was frozen answers with what it saw
 * before. Returns the machines that had to be copied anew. Throws with what they see if it takes too long.
 */
export async function whole(machines: readonly Machine[], seconds = 150): Promise<string[]> {
  const began = performance.now()
  let copied: string[] | undefined
  for (;;) {
    const views: Member[][] = []
    for (const machine of machines) {
      views.push(await membersBy(machine))
      if (!isWhole(views.at(-1) ?? [], machines.length)) break
      if (views.length === machines.length) return copied ?? []
    }
    const waited = (performance.now() - began) / 1000
    if (waited > seconds) throw new Error(`not whole after ${seconds} s: ${JSON.stringify(views)}`)
    if (waited > COPY_AFTER) copied ??= await copyAnew(machines)
    await sleep(EVERY_MS)
  }
}

/** Tells the machines that are not on the primary's timeline to start again with a copy of the primary. */
async function copyAnew(machines: readonly Machine[]): Promise<string[]> {
  const name = await leaderOf(machines)
  const leader = machines.find((machine) => machine.name === name)
  const view = leader ? await membersBy(leader) : []
  const timeline = view.find((member) => member.name === name)?.timeline
  const lost = machines.filter((machine) => {
    const member = view.find((each) => each.name === machine.name)
    return timeline !== undefined && machine.name !== name && member?.timeline !== timeline
  })
  for (const machine of lost) await post(machine, 'reinitialize', { force: true })
  return lost.map((machine) => machine.name)
}

/** Hands the lease to another machine, as before maintenance. */
export async function switchOver(from: Machine, to: Machine): Promise<void> {
  await post(from, 'switchover', { leader: from.name, candidate: to.name })
}

async function post({ address }: Machine, path: string, body: unknown): Promise<void> {
  const reply = await fetch(`http://${address}:8008/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}`,
    },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
}

import type { Limiter, Rule } from '../kit/limiter.ts'

/** A process has at most this part of a limit in advance, and at most so many points. */
const PART = 1 / 64
const MOST_IN_ADVANCE = 16
/** After this time in milliseconds, points that were not used go back. */
const KEPT_MS = 100

/** How many of the points were taken; `wait`: whole seconds until there are more, 0 if all were taken. */
export type Grant = readonly [taken: number, wait: number]

/** Asks the primary process. */
export type AskForPoints = {
  /** As of a limiter: the seconds to wait. */
  take(rule: Rule, key: string): Promise<number>
  /** `call` is made when the message is sent, so that it is for all that wait until then. */
  takeMany(call: () => [rule: Rule, key: string, needed: number, inAdvance: number]): Promise<Grant>
  giveBack(rule: Rule, key: string, points: number): Promise<void>
}

type Lease = {
  rule: Rule
  key: string
  left: number
  until: number
  /** Messages without an answer yet. */
  asked: number
  waiting: ((wait: number) => void)[]
}

const inAdvanceOf = ({ points }: Rule): number => Math.min(MOST_IN_ADVANCE, Math.floor(points * PART))

/**
 * Limits that the primary process counts for all workers. Of a limit with many points, as that of a site or tenant, a worker takes
 * some in advance, so that most requests wait for no message. They count as used at once, so that all workers together are
 * not allowed more; while one does not use its points, for a tenth of a second, the others have as many less. Limits below 64
 * points are taken one by one.
 */
export function createLeasedLimiter(ask: AskForPoints): Limiter {
  const leases = new Map<string, Lease>()
  let timer: NodeJS.Timeout | undefined

  function leaseOf(rule: Rule, key: string): Lease {
    const id = `${rule.name} ${key}`
    let lease = leases.get(id)
    if (!lease) leases.set(id, (lease = { rule, key, left: 0, until: 0, asked: 0, waiting: [] }))
    lease.rule = rule
    return lease
  }

  /** Takes points for all that wait when the message is sent, and some in advance. */
  async function refill(lease: Lease): Promise<void> {
    let served: Lease['waiting'] = []
    lease.asked += 1
    const [taken, wait] = await ask.takeMany(() => {
      served = lease.waiting
      lease.waiting = []
      return [lease.rule, lease.key, served.length, inAdvanceOf(lease.rule)]
    })
    lease.asked -= 1
    for (const [i, resolve] of served.entries()) resolve(i < taken ? 0 : wait)
    keep(lease, Math.max(0, taken - served.length))
  }

  function keep(lease: Lease, points: number): void {
    lease.left += points
    lease.until = performance.now() + KEPT_MS
    timer ??= setTimeout(returnUnused, KEPT_MS).unref()
  }

  function returnUnused(): void {
    timer = undefined
    for (const [id, lease] of leases) {
      if (lease.asked > 0 || lease.until > performance.now()) continue
      leases.delete(id)
      if (lease.left > 0) void ask.giveBack(lease.rule, lease.key, lease.left)
    }
    if (leases.size > 0) timer = setTimeout(returnUnused, KEPT_MS).unref()
  }

  return {
    take(rule, key) {
      if (inAdvanceOf(rule) === 0) return ask.take(rule, key)
      const lease = leaseOf(rule, key)
      if (lease.left > 0) {
        lease.left -= 1
        return 0
      }
      return new Promise((resolve) => {
        lease.waiting.push(resolve)
        if (lease.waiting.length === 1) void refill(lease)
      })
    },
    giveBack(rule, key) {
      const lease = leases.get(`${rule.name} ${key}`)
      if (!lease) return ask.giveBack(rule, key, 1)
      keep(lease, 1)
    },
    state: () => 'local',
  }
}

/** The primary's side. Nothing is taken in advance from a limit that is shared with other nodes: each point is a call there. */
export async function takeMany(
  limiter: Limiter,
  rule: Rule,
  key: string,
  needed: number,
  inAdvance: number,
): Promise<Grant> {
  if (limiter.state() !== 'local') {
    const waits = await Promise.all(Array.from({ length: needed }, async () => limiter.take(rule, key)))
    return [waits.filter((wait) => wait === 0).length, Math.max(0, ...waits)]
  }
  for (let taken = 0; taken < needed + inAdvance; taken++) {
    const wait = await limiter.take(rule, key)
    if (wait > 0) return [taken, wait]
  }
  return [needed + inAdvance, 0]
}

import type { AttemptRule, Attempts } from '../../kit/attempts.ts'
import type { DatabaseAddress } from '../../kit/db.ts'
import type { Exchange, Weight } from '../../kit/exchange.ts'
import type { Limiter, Rule } from '../../kit/limiter.ts'
import { createWorkerAttempts } from './attempts.ts'
import type { Collect, Handed } from './collector.ts'
import { ExpiringKeys } from './expiringKeys.ts'
import { createWorkerLimiter } from './limits.ts'

/** What a worker asks its primary process for. */
export type Call =
  | ['take' | 'giveBack', rule: Rule, key: string]
  | ['begin', rule: AttemptRule, key: string, round: number]
  | ['round' | 'uncount' | 'fail' | 'wrong', rule: AttemptRule, key: string]
  | ['metrics']
  | ['exchange', added: readonly Weight[]]

/** Messages from a worker to its primary, and back. Calls of the same turn of the event loop share a message. */
export type ToPrimary = { type: 'calls'; id: number; calls: Call[] } | Handed | { type: 'loaded' } | { type: 'ready' }
export type ToWorker =
  | { type: 'begin'; database: DatabaseAddress; embedded: boolean; known: Known }
  /** A key has had a wrong answer, for so many seconds. */
  | { type: 'wrong'; id: string; seconds: number }
  | Collect
  | { type: 'answers'; id: number; answers: unknown[] }
  /** Another worker has taken its place: it lets its clients go there, and ends. */
  | { type: 'retire' }

type Expiring = [id: string, seconds: number]

/** What a worker has to know when it begins: keys with a wrong answer, and those whose limits the primary counts. */
export type Known = Record<'wrong' | 'central', Expiring[]>

/** What all workers have together. */
export type Shared = {
  limiter: Limiter
  attempts: Attempts
  /** Of the weights behind the difficulty. */
  exchange: Exchange
  /** The sums of all workers' metrics, in Prometheus's format. */
  metrics(): Promise<string>
}

/** The worker's side. `send` passes a message to the primary, and `receive` takes those from it. `workers`: how many there are. */
export function createSharedByWorkers(
  send: (message: ToPrimary) => void,
  workers: number,
): Shared & { receive(message: ToWorker): void } {
  const [wrong, central] = [new ExpiringKeys(), new ExpiringKeys()]
  const pending = new Map<number, ((answer: unknown) => void)[]>()
  let calls: Call[] = []
  let waiting: ((answer: unknown) => void)[] = []
  let next = 0

  function ask<Answer>(...call: Call): Promise<Answer> {
    if (calls.length === 0) setImmediate(flush)
    calls.push(call)
    return new Promise((resolve) => waiting.push((answer) => resolve(answer as Answer)))
  }
  function flush(): void {
    const id = next++
    pending.set(id, waiting)
    send({ type: 'calls', id, calls })
    calls = []
    waiting = []
  }
  const limiter = createWorkerLimiter(
    {
      take: (rule, key) => ask('take', rule, key),
      giveBack: (rule, key) => ask('giveBack', rule, key),
    },
    central,
    workers,
  )
  return {
    receive(message) {
      switch (message.type) {
        case 'begin':
          for (const [id, seconds] of message.known.wrong) wrong.add(id, seconds)
          for (const [id, seconds] of message.known.central) central.add(id, seconds)
          break
        case 'wrong':
          wrong.add(message.id, message.seconds)
          break
        case 'collect':
          send({ type: 'handed', id: message.id, counted: limiter.hand(message.rule, message.key) })
          break
        case 'answers': {
          const resolvers = pending.get(message.id)
          pending.delete(message.id)
          for (const [i, resolve] of (resolvers ?? []).entries()) resolve(message.answers[i])
          break
        }
        case 'retire':
          // runWorker ends the process
          break
      }
    },
    metrics: () => ask('metrics'),
    exchange: { send: (_batch, added) => ask('exchange', added) },
    limiter,
    attempts: createWorkerAttempts(
      {
        round: (rule, key) => ask('round', rule, key),
        begin: (rule, key, round) => ask('begin', rule, key, round),
        giveBack: (rule, key) => ask('uncount', rule, key),
        fail: (rule, key) => ask('fail', rule, key),
        wrong: (rule, key) => ask('wrong', rule, key),
      },
      wrong,
      workers,
    ),
  }
}

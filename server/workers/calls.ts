import type { AttemptRule, Attempts } from '../kit/attempts.ts'
import type { DatabaseAddress } from '../kit/db.ts'
import type { Exchange, Weight } from '../kit/exchange.ts'
import type { Limiter, Rule } from '../kit/limiter.ts'
import { createLeasedLimiter, takeMany } from './leases.ts'

/** What a worker asks its primary process for. The counts are the primary's, so that all workers count together. */
export type Call =
  | ['take', rule: Rule, key: string]
  | ['takeMany', rule: Rule, key: string, needed: number, inAdvance: number]
  | ['giveBack', rule: Rule, key: string, points: number]
  | ['begin', rule: AttemptRule, key: string, round: number]
  | ['round' | 'uncount' | 'fail', rule: AttemptRule, key: string]
  | ['metrics']
  | ['exchange', added: readonly Weight[]]

/** Messages from a worker to its primary, and back. Calls of the same turn of the event loop share a message. */
export type ToPrimary = { type: 'calls'; id: number; calls: Call[] } | { type: 'loaded' } | { type: 'ready' }
export type ToWorker =
  | { type: 'begin'; database: DatabaseAddress; embedded: boolean }
  | { type: 'answers'; id: number; answers: unknown[] }
  /** Another worker has taken its place: it lets its clients go there, and ends. */
  | { type: 'retire' }

/** What all workers have together. */
export type Shared = {
  limiter: Limiter
  attempts: Attempts
  /** Of the weights behind the difficulty. */
  exchange: Exchange
  /** The sums of all workers' metrics, in Prometheus's format. */
  metrics(): Promise<string>
}

/** The worker's side. `send` passes a message to the primary; `receive` takes each of its answers. */
export function createSharedByWorkers(send: (message: ToPrimary) => void): Shared & {
  receive(message: Extract<ToWorker, { type: 'answers' }>): void
} {
  const pending = new Map<number, ((answer: unknown) => void)[]>()
  let calls: (() => Call)[] = []
  let waiting: ((answer: unknown) => void)[] = []
  let next = 0

  /** `call` is made when the message is sent. */
  function ask<Answer>(call: () => Call): Promise<Answer> {
    if (calls.length === 0) setImmediate(flush)
    calls.push(call)
    return new Promise((resolve) => waiting.push((answer) => resolve(answer as Answer)))
  }
  function flush(): void {
    const id = next++
    pending.set(id, waiting)
    const made = calls.map((call) => call())
    calls = []
    waiting = []
    send({ type: 'calls', id, calls: made })
  }
  return {
    receive({ id, answers }) {
      const resolvers = pending.get(id)
      pending.delete(id)
      for (const [i, resolve] of (resolvers ?? []).entries()) resolve(answers[i])
    },
    metrics: () => ask(() => ['metrics']),
    exchange: { send: (_batch, added) => ask(() => ['exchange', added]) },
    limiter: createLeasedLimiter({
      take: (rule, key) => ask(() => ['take', rule, key]),
      takeMany: (call) => ask(() => ['takeMany', ...call()]),
      giveBack: (rule, key, points) => ask(() => ['giveBack', rule, key, points]),
    }),
    attempts: {
      round: (rule, key) => ask(() => ['round', rule, key]),
      begin: (rule, key, round) => ask(() => ['begin', rule, key, round]),
      giveBack: (rule, key) => ask(() => ['uncount', rule, key]),
      fail: (rule, key) => ask(() => ['fail', rule, key]),
    },
  }
}

/** What the primary has for its workers. */
export type Held = Omit<Shared, 'exchange'> & { add(added: readonly Weight[]): Weight[] }

/** The primary's side: answers the calls of one message, in their order. */
export async function answerCalls(held: Held, calls: readonly Call[]): Promise<unknown[]> {
  const { limiter, attempts } = held
  return Promise.all(
    calls.map(async (call) => {
      switch (call[0]) {
        case 'take':
          return limiter.take(call[1], call[2])
        case 'takeMany':
          return takeMany(limiter, call[1], call[2], call[3], call[4])
        case 'giveBack': {
          const [, rule, key, points] = call
          await Promise.all(Array.from({ length: points }, async () => limiter.giveBack(rule, key)))
          return undefined
        }
        case 'begin':
          return attempts.begin(call[1], call[2], call[3])
        case 'round':
          return attempts.round(call[1], call[2])
        case 'uncount':
          return attempts.giveBack(call[1], call[2])
        case 'fail':
          return attempts.fail(call[1], call[2])
        case 'metrics':
          return held.metrics()
        case 'exchange':
          return held.add(call[1])
      }
    }),
  )
}

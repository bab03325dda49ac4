import type { DatabaseAddress } from '../../kit/db/db.ts'
import type { AttemptRule, Attempts } from '../../kit/limits/attempts.ts'
import type { Exchange, Weight } from '../../kit/limits/exchange.ts'
import type { Limiter, Rule } from '../../kit/limits/limiter.ts'
import type { NodeBounds, PaceRule, SlotRule } from '../../kit/limits/nodeBounds.ts'
import { createWorkerAttempts } from './attempts.ts'
import type { Collect, Handed } from './collector.ts'
import { type Expiring, ExpiringKeys } from './expiringKeys.ts'
import { createWorkerLimiter } from './limits.ts'

/** What a worker asks its primary process for. */
export type Call =
  | ['take' | 'giveBack', rule: Rule, key: string]
  | ['begin', rule: AttemptRule, key: string, round: number]
  | ['round' | 'uncount' | 'fail' | 'wrong', rule: AttemptRule, key: string]
  | ['takeSlot' | 'giveSlotBack', rule: SlotRule, key: string]
  | ['takeToken', rule: PaceRule, key: string]
  | ['metrics']
  | ['exchange', added: readonly Weight[]]

/** Messages from a worker to its primary, and back. Calls of the same turn of the event loop share a message. */
export type ToPrimary = { type: 'calls'; id: number; calls: Call[] } | Handed | { type: 'loaded' } | { type: 'ready' }
export type ToWorker =
  | { type: 'begin'; database: DatabaseAddress; embedded: boolean; known: Known }
  /** A key has had a wrong answer, for so many seconds. */
  | { type: 'wrong'; rule: string; key: string; seconds: number }
  | Collect
  | { type: 'answers'; id: number; answers: Answer[] }
  /** Another worker has taken its place: it lets its clients go there, and ends. */
  | { type: 'retire' }

/** The answer of a call, by its place in the message; `error`: why there is none. */
export type Answer = { at: number; value?: unknown; error?: string }

/** What a worker has to know when it begins: keys with a wrong answer, and those whose limits the primary counts. */
export type Known = Record<'wrong' | 'central', Expiring[]>

/** What all workers have together. */
export type Shared = {
  limiter: Limiter
  attempts: Attempts
  bounds: NodeBounds
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
  /** The calls of each message that have no answer yet. */
  const pending = new Map<number, Map<number, (answer: Answer) => void>>()
  let calls: Call[] = []
  let waiting = new Map<number, (answer: Answer) => void>()
  let next = 0

  function ask<Value>(...call: Call): Promise<Value> {
    if (calls.length === 0) setImmediate(flush)
    return new Promise((resolve, reject) => {
      waiting.set(calls.length, ({ value, error }) =>
        error === undefined ? resolve(value as Value) : reject(new Error(error)),
      )
      calls.push(call)
    })
  }
  function flush(): void {
    const id = next++
    pending.set(id, waiting)
    send({ type: 'calls', id, calls })
    calls = []
    waiting = new Map()
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
          for (const entry of message.known.wrong) wrong.add(...entry)
          for (const entry of message.known.central) central.add(...entry)
          break
        case 'wrong':
          wrong.add(message.rule, message.key, message.seconds)
          break
        case 'collect':
          send({ type: 'handed', id: message.id, counted: limiter.hand(message.rule, message.key) })
          break
        case 'answers': {
          const unanswered = pending.get(message.id)
          for (const answer of message.answers) {
            unanswered?.get(answer.at)?.(answer)
            unanswered?.delete(answer.at)
          }
          if (unanswered?.size === 0) pending.delete(message.id)
          break
        }
        case 'retire':
          // runWorker ends the process
          break
      }
    },
    metrics: () => ask('metrics'),
    bounds: {
      takeSlot: (rule, key) => ask('takeSlot', rule, key),
      giveSlotBack: (rule, key) => void ask('giveSlotBack', rule, key),
      takeToken: (rule, key) => ask('takeToken', rule, key),
    },
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

import type { AttemptRule, Attempts } from '../../kit/attempts.ts'
import type { Weight } from '../../kit/exchange.ts'
import type { Call, Known, ToWorker } from './calls.ts'
import { createCollector, type Handed } from './collector.ts'
import { ExpiringKeys, idOf } from './expiringKeys.ts'
import { createCentralLimiter } from './limits.ts'

type Parts = {
  workers: number
  attempts: Attempts
  metrics: () => Promise<string>
  /** Adds the weights of one worker; returns those of all. */
  add: (added: readonly Weight[]) => Weight[]
}

/** What the primary holds for its workers. */
export type Held = {
  /** For a worker that begins. */
  known(): Known
  /** Answers the calls of one message, in their order. */
  answer(calls: readonly Call[]): Promise<unknown[]>
  handed(worker: number, message: Handed): void
  ended(worker: number): void
}

/** `workers`: how many there are. `tellAll` sends a message to all that have begun, and returns their numbers. */
export function createHeld({ attempts, metrics, add, workers }: Parts, tellAll: (message: ToWorker) => number[]): Held {
  const [wrong, central] = [new ExpiringKeys(), new ExpiringKeys()]
  const collector = createCollector(tellAll)
  const limiter = createCentralLimiter(collector.collect, central, workers)

  /** Workers are told before the one that asks is answered, so they know when its client can have the answer. */
  async function fail(rule: AttemptRule, key: string): Promise<void> {
    await attempts.fail(rule, key)
    const [id, seconds] = [idOf(rule, key), rule.duration]
    wrong.add(id, seconds)
    tellAll({ type: 'wrong', id, seconds })
  }

  async function answerOne(call: Call): Promise<unknown> {
    switch (call[0]) {
      case 'take':
        return limiter.take(call[1], call[2])
      case 'giveBack':
        return limiter.giveBack(call[1], call[2])
      case 'begin':
        return attempts.begin(call[1], call[2], call[3])
      case 'round':
        return attempts.round(call[1], call[2])
      case 'uncount':
        return attempts.giveBack(call[1], call[2])
      case 'wrong':
        // it has been verified, so it counts even beyond the limit
        await attempts.begin({ ...call[1], points: Number.POSITIVE_INFINITY }, call[2], Number.POSITIVE_INFINITY)
        return fail(call[1], call[2])
      case 'fail':
        return fail(call[1], call[2])
      case 'metrics':
        return metrics()
      case 'exchange':
        return add(call[1])
    }
  }

  return {
    known: () => ({ wrong: wrong.all(), central: central.all() }),
    answer: (calls) => Promise.all(calls.map(answerOne)),
    handed: (worker, message) => collector.receive(worker, message),
    ended: (worker) => collector.ended(worker),
  }
}

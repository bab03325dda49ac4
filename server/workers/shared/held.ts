import type { AttemptRule, Attempts } from '../../kit/limits/attempts.ts'
import type { Weight } from '../../kit/limits/exchange.ts'
import type { NodeBounds } from '../../kit/limits/nodeBounds.ts'
import type { Answer, Call, Known, ToWorker } from './calls.ts'
import { createCollector, type Handed } from './collector.ts'
import { ExpiringKeys } from './expiringKeys.ts'
import { HeldSlots } from './heldSlots.ts'
import { createCentralLimiter } from './limits.ts'

type Parts = {
  workers: number
  attempts: Attempts
  bounds: NodeBounds
  metrics: () => Promise<string>
  /** Adds the weights of one worker; returns those of all. */
  add: (added: readonly Weight[]) => Weight[]
}

/** What the primary holds for its workers. */
export type Held = {
  /** For a worker that begins. */
  known(): Known
  /** Answers the calls of one message: `send` gets the answers of a turn together, so that none waits for a slow one. */
  answer(worker: number, calls: readonly Call[], send: (answers: Answer[]) => void): void
  handed(worker: number, message: Handed): void
  ended(worker: number): void
}

/** `workers`: how many there are. `tellAll` sends a message to all that have begun, and returns their numbers. */
export function createHeld(
  { attempts, bounds, metrics, add, workers }: Parts,
  tellAll: (message: ToWorker) => number[],
): Held {
  const [wrong, central] = [new ExpiringKeys(), new ExpiringKeys()]
  const collector = createCollector(tellAll)
  const slots = new HeldSlots(bounds)
  const limiter = createCentralLimiter(collector.collect, central, workers)

  async function fail(rule: AttemptRule, key: string): Promise<void> {
    wrong.add(rule.name, key, rule.duration)
    // sent before the answer of the worker that asks, which lets a client try again
    tellAll({ type: 'wrong', rule: rule.name, key, seconds: rule.duration })
    await attempts.fail(rule, key)
  }

  /** It has been verified, so it counts even beyond the limit. Nothing is waited for in between, or another call would be. */
  async function failUncounted(rule: AttemptRule, key: string): Promise<void> {
    const begun = attempts.begin({ ...rule, points: Number.POSITIVE_INFINITY }, key, Number.POSITIVE_INFINITY)
    await Promise.all([begun, fail(rule, key)])
  }

  async function answerOne(worker: number, call: Call): Promise<unknown> {
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
        return failUncounted(call[1], call[2])
      case 'fail':
        return fail(call[1], call[2])
      case 'takeSlot':
        return slots.take(worker, call[1], call[2])
      case 'giveSlotBack':
        return slots.giveBack(worker, call[1], call[2])
      case 'takeToken':
        return bounds.takeToken(call[1], call[2])
      case 'metrics':
        return metrics()
      case 'exchange':
        return add(call[1])
    }
  }

  return {
    known: () => ({ wrong: wrong.all(), central: central.all() }),
    answer(worker, calls, send) {
      let answers: Answer[] = []
      const add = (answer: Answer) => {
        if (answers.length === 0)
          setImmediate(() => {
            send(answers)
            answers = []
          })
        answers.push(answer)
      }
      for (const [at, call] of calls.entries())
        answerOne(worker, call).then(
          (value) => add({ at, value }),
          (error: unknown) => add({ at, error: error instanceof Error ? error.message : String(error) }),
        )
    },
    handed: (worker, message) => collector.receive(worker, message),
    ended(worker) {
      collector.ended(worker)
      slots.ended(worker)
    },
  }
}

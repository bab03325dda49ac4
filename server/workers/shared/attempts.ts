import type { AttemptRule, Attempts } from '../../kit/limits/attempts.ts'
import type { ExpiringKeys } from './expiringKeys.ts'

/** Asks the primary process. `wrong` counts an answer that was begun here, and records that it was wrong. */
type AskAboutAttempts = Attempts & { wrong(rule: AttemptRule, key: string): Promise<void> }

/**
 * Attempts that the primary process counts for all workers. Nearly all keys never have a wrong answer, so a worker verifies one
 * answer at a time of such a key without asking. The primary tells all workers of a wrong answer, and from then on each answer
 * to this key is counted there first. Until they know, each of the `workers` may have begun one answer itself, so the primary
 * admits as many less of a key that has none yet. A worker that does not read the message, because it is stopped for example, can
 * verify one wrong answer more. If there are as many workers as a key may have wrong answers, all are counted there. `wrong`: the
 * keys with a wrong answer.
 */
export function createWorkerAttempts(ask: AskAboutAttempts, wrong: ExpiringKeys, workers: number): Attempts {
  /** Keys of which an answer is begun here. */
  const begun = new Set<string>()
  const idOf = ({ name }: AttemptRule, key: string) => `${name} ${key}`
  return {
    round: async (rule, key) => (wrong.has(rule.name, key) ? ask.round(rule, key) : 0),
    async begin(rule, key, round) {
      const id = idOf(rule, key)
      if (workers >= rule.points || wrong.has(rule.name, key)) return ask.begin(rule, key, round)
      if (begun.has(id)) return ask.begin({ ...rule, points: rule.points - workers }, key, round)
      begun.add(id)
      return { state: 'begun' }
    },
    // which of several answers was begun here makes no difference to their number
    giveBack: async (rule, key) => (begun.delete(idOf(rule, key)) ? undefined : ask.giveBack(rule, key)),
    async fail(rule, key) {
      wrong.add(rule.name, key, rule.duration)
      return begun.delete(idOf(rule, key)) ? ask.wrong(rule, key) : ask.fail(rule, key)
    },
  }
}

import { createCounters, type Limiter, type Rule, whole } from '../../kit/limiter.ts'
import type { Counted } from '../../kit/windowCounter.ts'
import type { CollectCounts } from './collector.ts'
import { type ExpiringKeys, idOf } from './expiringKeys.ts'

/** Asks the primary process. */
type AskAboutLimits = {
  take(rule: Rule, key: string): Promise<number>
  giveBack(rule: Rule, key: string): Promise<void>
}

/** A share smaller than what a visitor needs would be collected for every visitor. */
const LEAST_SHARE = 4

/** The takes of a key that a worker counts itself; 0: the primary counts them all. While a worker is replaced there is one more. */
function shareOf({ points }: Rule, workers: number): number {
  const share = Math.floor(points / (workers + 1))
  return share < LEAST_SHARE ? 0 : share
}

/** Seconds: a little longer than a window that begins when all workers have handed over the key. */
const centralFor = ({ duration }: Rule): number => duration + 1

/**
 * The worker's side. Each worker counts the takes of a key itself until it has used its share of the limit, so that most requests
 * wait for no message. Then it asks the primary, which collects what all workers have counted of the key, and counts alone until
 * its window ends. All workers together are allowed exactly the limit. `central`: the keys that the primary counts. A worker
 * that ends takes what it has counted with it.
 */
export function createWorkerLimiter(
  ask: AskAboutLimits,
  central: ExpiringKeys,
  workers: number,
): Limiter & { hand(rule: Rule, key: string): Counted } {
  const counterOf = createCounters()
  return {
    take(rule, key) {
      if (central.has(idOf(rule, key))) return ask.take(rule, key)
      const share = shareOf(rule, workers)
      if (share > 0 && counterOf(rule).take(key, share, rule.duration * 1000) === 0) return 0
      return ask.take(rule, key)
    },
    giveBack(rule, key) {
      if (central.has(idOf(rule, key))) return ask.giveBack(rule, key)
      counterOf(rule).giveBack(key)
    },
    state: () => 'local',
    /** Hands the primary what is counted here; from now on it is asked. */
    hand(rule, key) {
      central.add(idOf(rule, key), centralFor(rule))
      return counterOf(rule).remove(key)
    },
  }
}

/** The primary's side. `collect` asks all workers to hand over a key, and passes on what each had counted. */
export function createCentralLimiter(
  collect: CollectCounts,
  central: ExpiringKeys,
  workers: number,
): Pick<Limiter, 'take' | 'giveBack'> {
  const counterOf = createCounters()
  const running = new Map<string, Promise<void>>()

  function collectOnce(rule: Rule, key: string): Promise<void> {
    const id = idOf(rule, key)
    let collecting = running.get(id)
    if (!collecting) {
      central.add(id, centralFor(rule))
      collecting = collect(rule, key, (counted) => counterOf(rule).add(key, counted)).finally(() => running.delete(id))
      running.set(id, collecting)
    }
    return collecting
  }

  return {
    async take(rule, key) {
      if (shareOf(rule, workers) > 0 && (running.has(idOf(rule, key)) || !counterOf(rule).has(key)))
        await collectOnce(rule, key)
      return whole(counterOf(rule).take(key, rule.points, rule.duration * 1000))
    },
    giveBack: (rule, key) => counterOf(rule).giveBack(key),
  }
}

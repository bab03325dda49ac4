import { createCounters, type Limiter, type Rule, whole } from '../../kit/limits/limiter.ts'
import type { Counted } from '../../kit/limits/windowCounter.ts'
import { type CollectCounts, WAIT_MS } from './collector.ts'
import { ExpiringKeys } from './expiringKeys.ts'

/** Asks the primary process. */
type AskAboutLimits = {
  take(rule: Rule, key: string): Promise<number>
  giveBack(rule: Rule, key: string): Promise<void>
}

/** A share smaller than what a visitor needs would be collected for every visitor. */
const LEAST_SHARE = 4

/**
 * The takes of a key that each process counts by itself; 0: the primary counts them all. The primary has a share as well, and
 * while a worker is replaced there is one more.
 */
function shareOf({ points }: Rule, workers: number): number {
  const share = Math.floor(points / (workers + 2))
  return share < LEAST_SHARE ? 0 : share
}

/**
 * The worker's side. Each worker counts the takes of a key itself until it has used its share of the limit, so that most requests
 * wait for no message. Then it asks the primary, which has a share of its own. When that is used too, it collects what all workers
 * have counted of the key, and counts alone until the window ends. `central`: the keys that have been collected.
 *
 * So the shares of all processes add up to the limit. But windows begin with the first take at a process, so those of one key can
 * begin at different moments. And a worker that ends takes with it what it has counted.
 */
export function createWorkerLimiter(
  ask: AskAboutLimits,
  central: ExpiringKeys,
  workers: number,
): Limiter & { hand(rule: Rule, key: string): Counted } {
  const counterOf = createCounters()
  const isCentral = (rule: Rule, share: number, key: string) => share === 0 || central.has(rule.name, key)
  return {
    take(rule, key) {
      const share = shareOf(rule, workers)
      if (isCentral(rule, share, key)) return ask.take(rule, key)
      return counterOf(rule).take(key, share, rule.duration * 1000) === 0 ? 0 : ask.take(rule, key)
    },
    giveBack(rule, key) {
      const isOwn = !isCentral(rule, shareOf(rule, workers), key) && counterOf(rule).giveBack(key)
      return isOwn ? undefined : ask.giveBack(rule, key)
    },
    state: () => 'local',
    /** Hands the primary what is counted here; from now on it is asked. */
    hand(rule, key) {
      // longer than the primary counts alone, which begins when all workers have handed over the key
      central.add(rule.name, key, rule.duration + 1 + WAIT_MS / 1000)
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
  /** Keys whose takes are all counted here, until their windows end. */
  const complete = new ExpiringKeys()
  const running = new Map<string, Promise<void>>()

  async function collectAll(rule: Rule, key: string): Promise<void> {
    central.add(rule.name, key, rule.duration + 1)
    await collect(rule, key, (counted) => counterOf(rule).add(key, counted))
    running.delete(`${rule.name} ${key}`)
    complete.add(rule.name, key, counterOf(rule).left(key) / 1000 || rule.duration)
  }

  function collectOnce(rule: Rule, key: string): Promise<void> {
    const id = `${rule.name} ${key}`
    let collecting = running.get(id)
    if (!collecting) running.set(id, (collecting = collectAll(rule, key)))
    return collecting
  }

  return {
    async take(rule, key) {
      const [counter, share, duration] = [counterOf(rule), shareOf(rule, workers), rule.duration * 1000]
      if (share > 0 && !complete.has(rule.name, key)) {
        const own = rule.points - share * (workers + 1)
        if (counter.take(key, own, duration) === 0) return 0
        await collectOnce(rule, key)
      }
      return whole(counter.take(key, rule.points, duration))
    },
    giveBack: (rule, key) => void counterOf(rule).giveBack(key),
  }
}

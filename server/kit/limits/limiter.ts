import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { SharedStore } from './redis.ts'
import { WindowCounter } from './windowCounter.ts'

/** A limit: `points` takes in `duration` seconds, in windows that begin with a key's first take. */
export type Rule = { name: string; points: number; duration: number }

/** A rule and the key that it counts. */
export type Limit = readonly [rule: Rule, key: string]

export interface Limiter {
  /** Takes a point of the key; returns 0, or the whole seconds until one is available. At once, where this process counts. */
  take(rule: Rule, key: string): number | Promise<number>
  /** Returns a point that this process took, for example because a replay is not counted. */
  giveBack(rule: Rule, key: string): void | Promise<void>
  /** Whether this node limits separately: without REDIS_URL, or while Redis is unavailable. */
  state(): 'local' | 'shared' | 'away'
}

/** Per kind of limit, so that arbitrary keys of one kind do not displace those of others. */
const MAX_KEYS = 100_000

const whole = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

/** Limits of this process only. */
export function createLocalLimiter(): Limiter {
  const counters = new Map<string, WindowCounter>()
  const counterOf = ({ name }: Rule): WindowCounter => {
    let counter = counters.get(name)
    if (!counter) counters.set(name, (counter = new WindowCounter({ maxKeys: MAX_KEYS })))
    return counter
  }
  return {
    take: (rule, key) => whole(counterOf(rule).take(key, rule.points, rule.duration * 1000)),
    giveBack: (rule, key) => counterOf(rule).giveBack(key),
    state: () => 'local',
  }
}

/** Limits shared by all nodes through Redis. While Redis is unavailable, each node limits separately. */
export function createSharedLimiter(store: SharedStore): Limiter {
  const local = createLocalLimiter()
  const limiters = new Map<string, RateLimiterRedis>()
  const limiterOf = ({ name, points, duration }: Rule): RateLimiterRedis => {
    const id = `${name}:${points}:${duration}`
    let limiter = limiters.get(id)
    if (!limiter)
      limiters.set(
        id,
        (limiter = new RateLimiterRedis({
          storeClient: store.redis,
          keyPrefix: `tollgate:${name}`,
          points,
          duration,
          rejectIfRedisNotReady: true,
        })),
      )
    return limiter
  }
  return {
    take: (rule, key) =>
      store.or(
        () =>
          limiterOf(rule)
            .consume(key)
            .then(
              () => 0,
              (refused: unknown) => {
                if (refused instanceof RateLimiterRes) return Math.max(1, whole(refused.msBeforeNext))
                throw refused
              },
            ),
        async () => local.take(rule, key),
      ),
    giveBack: (rule, key) =>
      store.or(
        () =>
          limiterOf(rule)
            .reward(key)
            .then(() => undefined),
        async () => local.giveBack(rule, key),
      ),
    state: () => store.state(),
  }
}

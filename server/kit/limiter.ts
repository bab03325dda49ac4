import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from './log.ts'
import { WindowCounter } from './windowCounter.ts'

/** A limit: `points` takes in `duration` seconds, in windows that begin with a key's first take. */
export type Rule = { name: string; points: number; duration: number }

export interface Limiter {
  /** Takes a point of the key; returns 0, or the whole seconds until there is one again. */
  take(rule: Rule, key: string): Promise<number>
  /** Gives a taken point back: a replay is not counted. */
  giveBack(rule: Rule, key: string): Promise<void>
  /** Whole seconds until there is a point again, else 0; takes none. */
  wait(rule: Rule, key: string): Promise<number>
  /** Whether this node limits by itself: as it is set up, or because Redis is away. */
  state(): 'local' | 'shared' | 'away'
  close(): void
}

const LONGEST_MS = 600_000
const MAX_KEYS = 100_000

/** A connection that stands but does not answer so many times in a row counts as away, and is left alone so long. */
const SILENT_AFTER = 3
const SILENCE_MS = 1000

const whole = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

/** Limits of this process alone. */
export function createLocalLimiter(): Limiter {
  const counter = new WindowCounter({ maxKeys: MAX_KEYS, longest: LONGEST_MS })
  const keyOf = (rule: Rule, key: string) => `${rule.name} ${key}`
  return {
    take: async (rule, key) => whole(counter.take(keyOf(rule, key), rule.points, rule.duration * 1000)),
    giveBack: async (rule, key) => counter.giveBack(keyOf(rule, key)),
    wait: async (rule, key) => whole(counter.wait(keyOf(rule, key), rule.points)),
    state: () => 'local',
    close: () => {},
  }
}

/**
 * Limits shared by all nodes through Redis. While Redis is away each node limits by itself: said once when it goes and
 * once when it comes back, and never an outage.
 */
export function createSharedLimiter(redisUrl: string, log: Log): Limiter {
  const local = createLocalLimiter()
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 250,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
  })
  let away = false
  let failures = 0
  let pausedUntil = 0
  const lost = (err: unknown) => {
    if (!away) log.warn({ err }, 'Redis does not answer; each node limits by itself until it does')
    away = true
  }
  const found = () => {
    if (away) log.warn('Redis answers again; limits are shared again')
    away = false
    failures = 0
    pausedUntil = 0
  }
  redis.on('error', lost)
  redis.on('ready', found)
  const limiters = new Map<string, RateLimiterRedis>()
  const limiterOf = ({ name, points, duration }: Rule): RateLimiterRedis => {
    const id = `${name}:${points}:${duration}`
    let limiter = limiters.get(id)
    if (!limiter)
      limiters.set(
        id,
        (limiter = new RateLimiterRedis({
          storeClient: redis,
          keyPrefix: `tollgate:${name}`,
          points,
          duration,
          rejectIfRedisNotReady: true,
        })),
      )
    return limiter
  }
  /** Redis's answer, or, while it is away, this process's own. One that keeps silent is asked once a second only. */
  const or = async <Out>(shared: () => Promise<Out>, alone: () => Promise<Out>): Promise<Out> => {
    if (redis.status !== 'ready' || performance.now() < pausedUntil) return alone()
    try {
      const out = await shared()
      found()
      return out
    } catch (err) {
      failures += 1
      if (failures >= SILENT_AFTER) {
        pausedUntil = performance.now() + SILENCE_MS
        lost(err)
      }
      return alone()
    }
  }
  return {
    take: (rule, key) =>
      or(
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
        () => local.take(rule, key),
      ),
    giveBack: (rule, key) =>
      or(
        () =>
          limiterOf(rule)
            .reward(key)
            .then(() => undefined),
        () => local.giveBack(rule, key),
      ),
    wait: (rule, key) =>
      or(
        async () => {
          const state = await limiterOf(rule).get(key)
          return state && state.remainingPoints <= 0 ? Math.max(1, whole(state.msBeforeNext)) : 0
        },
        () => local.wait(rule, key),
      ),
    state: () => (away || redis.status !== 'ready' ? 'away' : 'shared'),
    close: () => redis.disconnect(),
  }
}

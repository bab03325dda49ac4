import { Redis } from 'ioredis'
import type { Log } from '../process/log.ts'
import { type ClientOptions, readRedisUrl } from './redisUrl.ts'

/**
 * After this many unanswered requests, each sent after the one before had failed, an open connection counts as unavailable and
 * is not used for a while. Requests that fail together count once: all of them do when this process gets no CPU for a moment.
 */
const SILENT_AFTER = 3
const SILENCE_MS = 1000

/** State shared by all nodes through Redis, or kept per node while Redis is unavailable. */
export type SharedStore = {
  redis: Redis
  /** Redis's answer or, while it is unavailable, this process's own. A Redis that does not answer is tried once a second. */
  or<Out>(shared: () => Promise<Out>, alone: () => Promise<Out>): Promise<Out>
  state(): 'shared' | 'away'
  close(): void
}

const OPTIONS: ClientOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1000,
  commandTimeout: 250,
  retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
}

function connect(redisUrl: string): Redis {
  const address = readRedisUrl(redisUrl)
  return typeof address === 'object' ? new Redis({ ...address, ...OPTIONS }) : new Redis(redisUrl, OPTIONS)
}

/** Connects in the background. Losing and regaining Redis is logged once each, and is never an outage. */
export function openSharedStore(redisUrl: string, log: Log): SharedStore {
  const redis = connect(redisUrl)
  let away = false
  let failures = 0
  let failedAt = 0
  let pausedUntil = 0
  const lost = (err: unknown) => {
    if (!away) log.warn({ err }, 'Redis is unavailable; each node counts limits by itself until it is back')
    away = true
  }
  const found = () => {
    if (away) log.warn('Redis is available again; limits are shared again')
    away = false
    failures = 0
    pausedUntil = 0
  }
  let isReady = false
  // ioredis reports no error if a connection is accepted and closed, as by a proxy that has no Redis behind it. One that was in use
  // may have been closed because it was idle: it is opened again
  const closed = () => {
    if (!isReady) lost(new Error('the connection was closed'))
    isReady = false
  }
  redis.on('error', lost)
  redis.on('close', closed)
  redis.on('ready', () => {
    isReady = true
    found()
  })
  return {
    redis,
    async or(shared, alone) {
      const sentAt = performance.now()
      if (redis.status !== 'ready' || sentAt < pausedUntil) return alone()
      try {
        const out = await shared()
        // an answer to what was sent before the pause does not end it
        if (sentAt >= pausedUntil) found()
        return out
      } catch (err) {
        if (sentAt >= failedAt) {
          failures += 1
          failedAt = performance.now()
        }
        if (failures >= SILENT_AFTER && sentAt >= pausedUntil) {
          pausedUntil = performance.now() + SILENCE_MS
          lost(err)
        }
        return alone()
      }
    },
    state: () => (away || redis.status !== 'ready' ? 'away' : 'shared'),
    close: () => {
      redis.off('close', closed)
      redis.disconnect()
    },
  }
}

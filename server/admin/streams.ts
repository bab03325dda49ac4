import { AppError } from '../kit/error.ts'

/** How many long-lived replies a person can have at the same time. A browser has six connections to a host. */
const MOST = 5

/** Long-lived replies. They are counted per person, and end with the server. */
export type Streams = {
  /** Aborted when the server closes, which waits for unfinished replies. */
  closing: AbortSignal
  /** Counts another stream of the person. Returns a function to call when it ends. Throws AppError. */
  open(userId: string): () => void
  close(): void
}

export function createStreams(): Streams {
  const controller = new AbortController()
  const running = new Map<string, number>()
  return {
    closing: controller.signal,
    open(userId) {
      const before = running.get(userId) ?? 0
      if (before >= MOST) throw new AppError('too-many-streams', { most: MOST })
      running.set(userId, before + 1)
      return () => {
        const left = (running.get(userId) ?? 0) - 1
        if (left > 0) running.set(userId, left)
        else running.delete(userId)
      }
    },
    close: () => controller.abort(),
  }
}

import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'

/** How many long-lived replies of a node a person can have at the same time. A browser has six connections to a host. */
const STREAMS = { name: 'stream', running: 5, waiting: 0 }

/** Long-lived replies. They are counted per person, and end with the server. */
export type Streams = {
  /** Aborted when the server closes, which waits for unfinished replies. */
  closing: AbortSignal
  /** Counts another stream of the person. Returns a function to call when it ends. Throws AppError. */
  open(userId: string): Promise<() => void>
  close(): void
}

export function createStreams({ bounds }: Pick<Context, 'bounds'>): Streams {
  const controller = new AbortController()
  return {
    closing: controller.signal,
    async open(userId) {
      if (!(await bounds.takeSlot(STREAMS, userId))) throw new AppError('too-many-streams', { most: STREAMS.running })
      return () => bounds.giveSlotBack(STREAMS, userId)
    },
    close: () => controller.abort(),
  }
}

import { TollgateError } from './errors.ts'
import { time } from './time.ts'

/** Milliseconds before the second try unless the answer says otherwise; each later wait is twice as long. */
const FIRST_WAIT_MS = 200
/** Random delay, so that many callers do not retry at once. */
const SPREAD_MS = 100
/** A try does not begin with less than this part of the deadline: it would find no answer, and hide the one before. */
const LEAST_LEFT = 0.1

type Limits = {
  /** Milliseconds for all tries. */
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

/**
 * Calls `attempt` until it returns a value or an error that is not retryable, or until another wait would end in the
 * last tenth of the deadline or later: then the last error is thrown. `attempt` gets the remaining milliseconds.
 */
export async function retry<Value>(
  attempt: (left: number) => Promise<Value>,
  { deadline, signal }: Limits,
): Promise<Value> {
  const end = time.now() + deadline
  for (let tries = 0; ; tries++) {
    try {
      return await attempt(end - time.now())
    } catch (error) {
      if (!(error instanceof TollgateError) || !error.retryable) throw error
      const asked = (error.retryAfter ?? 0) * 1000
      const pause = Math.max(asked, FIRST_WAIT_MS * 2 ** tries) + time.random() * SPREAD_MS
      if (time.now() + pause >= end - deadline * LEAST_LEFT) throw error
      await time.sleep(pause, signal).catch((cause: unknown) => {
        signal?.throwIfAborted()
        throw cause
      })
    }
  }
}

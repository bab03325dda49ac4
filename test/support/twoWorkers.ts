import { Counts } from '../../server/captcha/challenges/networks/counts.ts'
import { createLocalAttempts } from '../../server/kit/limits/attempts.ts'
import { createLocalLimiter } from '../../server/kit/limits/limiter.ts'
import { createNodeBounds } from '../../server/kit/limits/nodeBounds.ts'
import { type Answers, type Calls, createCounting, createShared, type Shared } from '../../server/workers/calls.ts'

/** Two workers of one primary, whose messages are serialised as between processes. `end` ends one by its number. */
export function twoWorkers(
  counts = new Counts({ exchange: undefined, now: () => 1000 }),
  metrics = async () => '',
): { shared: [Shared, Shared]; end: (worker: number) => void } {
  const counting = createCounting(
    {
      limiter: createLocalLimiter(),
      attempts: createLocalAttempts(),
      bounds: createNodeBounds(),
      metrics,
      add: (added) => counts.add(added),
    },
    () => {},
  )
  const start = (number: number): Shared => {
    const worker = createShared((message) => {
      const sent = JSON.parse(JSON.stringify(message)) as Calls
      counting.answer(number, sent, (answers) => {
        const text = JSON.stringify(answers)
        // in a later turn, as from another process
        setImmediate(() => worker.receive(JSON.parse(text) as Answers))
      })
    })
    return worker
  }
  return { shared: [start(0), start(1)], end: (worker) => counting.ended(worker) }
}

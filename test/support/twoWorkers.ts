import { Counts } from '../../server/captcha/challenges/networks/counts.ts'
import { createLocalAttempts } from '../../server/kit/limits/attempts.ts'
import { createNodeBounds } from '../../server/kit/limits/nodeBounds.ts'
import { createSharedByWorkers, type Shared, type ToPrimary, type ToWorker } from '../../server/workers/shared/calls.ts'
import { createHeld } from '../../server/workers/shared/held.ts'

/**
 * Two workers of one primary, whose messages are serialised as between processes. `messages`: how many they have sent it.
 * `start` adds another worker, and `end` ends one by its number.
 */
export function twoWorkers(
  counts = new Counts({ exchange: undefined, now: () => 1000 }),
  metrics = async () => '',
): {
  shared: Shared[]
  messages: () => number
  start(): Shared
  end: (worker: number) => void
} {
  let messages = 0
  const receivers: ((message: ToWorker) => void)[] = []
  const held = createHeld(
    {
      workers: 2,
      attempts: createLocalAttempts(),
      bounds: createNodeBounds(),
      metrics,
      add: (added) => counts.add(added),
    },
    (message) => Array.from(receivers, (receive, worker) => (receive(message), worker)),
  )
  function start(): Shared {
    const number = receivers.length
    /** Answers come in a later turn, as from another process. */
    const receive = (message: ToWorker) => {
      const text = JSON.stringify(message)
      setImmediate(() => worker.receive(JSON.parse(text) as ToWorker))
    }
    const worker = createSharedByWorkers((message) => {
      messages += 1
      const sent = JSON.parse(JSON.stringify(message)) as ToPrimary
      if (sent.type === 'handed') held.handed(number, sent)
      if (sent.type === 'calls')
        held.answer(number, sent.calls, (answers) => receive({ type: 'answers', id: sent.id, answers }))
    }, 2)
    receivers.push(receive)
    worker.receive({ type: 'begin', database: { url: '', directUrl: undefined }, embedded: false, known: held.known() })
    return worker
  }
  return { shared: [start(), start()], messages: () => messages, start, end: (worker) => held.ended(worker) }
}

import type { Config } from '../kit/config/config.ts'
import { createLog } from '../kit/process/log.ts'
import { openWorkerService } from '../kit/service.ts'
import { type Run, runUntilStopped } from '../runUntilStopped.ts'
import { serve } from '../serve.ts'
import { createShared, type ToPrimary, type ToWorker } from './calls.ts'

/** For as long a retired worker still answers, so that clients that use a connection again are told to open another one. */
const RETIRE_MS = 2000

/** The primary ends a worker that does not end. A message that it cannot be sent has nobody who would act on it. */
const send = (message: ToPrimary): void => void process.send?.(message, undefined, undefined, () => {})

/** One of several processes that answer requests. Its primary tells it the database, counts its limits, and ends it. */
export async function runWorker(config: Config): Promise<void> {
  // Ctrl+C and the end of a terminal reach every process of it; the primary decides when workers end
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  // a message could not be sent, so the primary has ended: Node.js would end this process with a stack trace
  process.on('error', () => process.exit(0))
  await runUntilStopped([], config.shutdownDelay * 1000, (run) => start(config, run))
}

async function start(config: Config, { ending, add, stop }: Run): Promise<void> {
  // one for all processes of a group comes here as well as that of the primary, which ends a worker that takes too long
  const stopOnce = () => void (ending.aborted || stop())
  process.on('SIGTERM', stopOnce)
  const shared = createShared(send)
  const begin = await new Promise<Extract<ToWorker, { type: 'begin' }>>((resolve, reject) => {
    ending.addEventListener('abort', () => reject(new Error('the process was asked to stop')))
    process.on('message', (message: ToWorker) => {
      if (message.type === 'answers') shared.receive(message)
      if (message.type === 'begin') resolve(message)
    })
    // what is sent before there is a listener is lost
    send({ type: 'loaded' })
  })
  const service = await openWorkerService(
    { ...config, maxConnections: Math.ceil(config.maxConnections / config.workers) },
    begin.database,
    shared,
    { log: createLog(config.logLevel), ending },
  )
  add(service)
  const serving = await serve(service, {
    embedded: begin.embedded,
    demo: undefined,
    ending,
    metrics: () => shared.metrics(),
  })
  let end: 'of the node' | 'of the process' = 'of the node'
  add({
    close: () => serving.close(end === 'of the node' ? config.shutdownDelay * 1000 : RETIRE_MS, end),
  })
  process.on('message', (message: ToWorker) => {
    if (message.type !== 'retire') return
    end = 'of the process'
    stopOnce()
  })
  send({ type: 'ready' })
}

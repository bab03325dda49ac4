import type { Config } from '../kit/config.ts'
import { createLog } from '../kit/log.ts'
import { openWorkerService } from '../kit/service.ts'
import { closeAtSignal, type Serving, serve } from '../serve.ts'
import { createSharedByWorkers, type ToPrimary, type ToWorker } from './shared/calls.ts'

/** For as long a retired worker still answers, so that clients that use a connection again are told to open another one. */
const RETIRE_MS = 2000

const send = (message: ToPrimary): void => void process.send?.(message)

/** One of several processes that answer requests. Its primary tells it the database, counts its limits, and ends it. */
export async function runWorker(config: Config): Promise<void> {
  // Ctrl+C reaches every process of the terminal; the primary decides when workers end
  process.on('SIGINT', () => {})
  const shared = createSharedByWorkers(send, config.workers)
  const begin = await new Promise<Extract<ToWorker, { type: 'begin' }>>((resolve) => {
    process.on('message', (message: ToWorker) => {
      shared.receive(message)
      if (message.type === 'begin') resolve(message)
    })
    // what is sent before there is a listener is lost
    send({ type: 'loaded' })
  })
  const service = await openWorkerService(
    { ...config, maxConnections: Math.ceil(config.maxConnections / config.workers) },
    begin.database,
    shared,
    createLog(config.logLevel),
  )
  const serving = await serve(service, { embedded: begin.embedded, demo: undefined, metrics: () => shared.metrics() })
  const delay = config.shutdownDelay * 1000
  const close = async (...how: Parameters<Serving['close']>): Promise<void> => {
    await serving.close(...how)
    await service.close()
  }
  closeAtSignal(['SIGTERM'], delay, () => close(delay, 'of the node'))
  process.on('message', (message: ToWorker) => {
    if (message.type === 'retire')
      close(RETIRE_MS, 'of the process').then(
        () => process.exit(0),
        () => process.exit(1),
      )
  })
  send({ type: 'ready' })
}

import cluster from 'node:cluster'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { startDemo } from './demo.ts'
import { explain } from './explain.ts'
import { startJobs } from './jobs.ts'
import { type Config, readConfig } from './kit/config/config.ts'
import { untilItAnswers } from './kit/db/patience.ts'
import { createLog } from './kit/process/log.ts'
import { tryPorts } from './kit/process/ports.mjs'
import { VERSION } from './kit/process/version.ts'
import { openService } from './kit/service.ts'
import { checkArchiveDirectory } from './ledger/archive/checkDirectory.ts'
import { canChangeHistory } from './ledger/rights.ts'
import { NOT_PRODUCTION, startReport } from './report.ts'
import { type Run, runUntilStopped } from './runUntilStopped.ts'
import { serve } from './serve.ts'
import { startWorkers } from './workers/primary.ts'
import { runWorker } from './workers/worker.ts'

/** Whether one of the standard streams is a terminal that is still there. */
const hasTerminal = (): boolean => [0, 1, 2].some((stream) => isatty(stream))

/** Starts the service: in this process, or with others that answer its requests. */
async function start(config: Config, { ending, add, stop }: Run): Promise<void> {
  // those that come while the first workers start are answered when they have
  let isAsked = false
  let replace = () => void (isAsked = true)
  const wasOnTerminal = hasTerminal()
  process.on('SIGHUP', () => {
    const isClosed = wasOnTerminal && !hasTerminal()
    if (config.workers === 1 || isClosed) stop()
    else replace()
  })
  // before anything is created
  await tryPorts({ ...config, shopPort: config.demo ? config.shopPort : undefined })
  const log = createLog(config.logLevel)
  for (const warning of config.warnings) log.warn(warning)
  if (config.beforeProduction) log.warn({ missing: config.beforeProduction }, NOT_PRODUCTION)
  const label = `Tollgate, process ${process.pid}, ${config.publicUrl}`
  const service = await openService(config, { kind: 'service', label }, log, { ending })
  add(service)
  const patiently = <Out>(work: () => Promise<Out>): Promise<Out> => untilItAnswers({ log, ending }, work)
  await patiently(() => checkArchiveDirectory(service.ctx))
  if (config.production && (await patiently(() => canChangeHistory(service.ctx))))
    log.warn(
      'the database user can change and delete audit events and decisions; docs/database-and-backups.md, "Two roles", says how to prevent it',
    )
  const embedded = service.cluster !== undefined
  const demo = config.demo ? await patiently(() => startDemo(service, log, ending)) : undefined
  if (demo) add(demo)
  add(await patiently(() => startJobs(service)))
  if (config.workers > 1) {
    const workers = await startWorkers(service, fileURLToPath(import.meta.url), ending)
    add(workers)
    replace = () => void workers.replace()
    if (isAsked) replace()
  } else {
    const serving = await serve(service, { embedded, demo, ending })
    add({ close: () => serving.close(config.shutdownDelay * 1000, 'of the node') })
  }
  ending.throwIfAborted()
  console.log(startReport({ config, version: VERSION, embedded, demo, interactive: process.stdout.isTTY }))
}

let config: Config | undefined
try {
  const settled = readConfig(process.env)
  config = settled
  if (cluster.isWorker) await runWorker(settled)
  else await runUntilStopped(['SIGTERM', 'SIGINT'], settled.shutdownDelay * 1000, (run) => start(settled, run))
} catch (error) {
  console.error(`\nTollgate did not start.\n\n${explain(error, config)}\n`)
  process.exit(1)
}

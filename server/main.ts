import cluster from 'node:cluster'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startDemo } from './demo.ts'
import { startJobs } from './jobs.ts'
import { keepBuild } from './kit/build.ts'
import { settingsFor } from './kit/commandLine.ts'
import { type Config, readConfig } from './kit/config.ts'
import { OperatorError } from './kit/error.ts'
import { createLog } from './kit/log.ts'
import { openService } from './kit/service.ts'
import { VERSION } from './kit/version.ts'
import { checkArchiveDirectory } from './ledger/archive/checkDirectory.ts'
import { canChangeHistory } from './ledger/rights.ts'
import { NOT_PRODUCTION, startReport } from './report.ts'
import { closeAtSignal, serve } from './serve.ts'
import { startWorkers } from './workers/primary.ts'
import { runWorker } from './workers/worker.ts'

/** Starts the service: in this process, or with others that answer its requests. */
async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  for (const warning of config.warnings) log.warn(warning)
  if (config.beforeProduction) log.warn({ missing: config.beforeProduction }, NOT_PRODUCTION)
  const label = `Tollgate, process ${process.pid}, ${config.publicUrl}`
  const service = await openService(config, { kind: 'service', label }, log)
  try {
    await checkArchiveDirectory(service.ctx)
  } catch (error) {
    await service.close()
    throw error
  }
  if (config.production && (await canChangeHistory(service.ctx)))
    log.warn(
      'the database user can change and delete audit events and decisions; docs/operations.md, "Two roles", says how to prevent it',
    )
  const embedded = service.cluster !== undefined
  const demo = config.demo ? await startDemo(service, log) : undefined
  const jobs = await startJobs(service)
  let stopServing = async (): Promise<void> => {}
  const close = async (): Promise<void> => {
    await stopServing()
    await Promise.all([jobs.close(), demo?.close()])
    await service.close()
  }
  const delay = config.shutdownDelay * 1000
  closeAtSignal(['SIGTERM', 'SIGINT'], delay, close)
  try {
    if (config.workers > 1) {
      const workers = await startWorkers(service, fileURLToPath(import.meta.url))
      stopServing = () => workers.close()
      process.on('SIGHUP', () => void workers.replace())
    } else {
      const serving = await serve(service, { embedded, demo })
      stopServing = () => serving.close(delay, 'of the node')
    }
  } catch (error) {
    await close()
    throw error
  }
  console.log(startReport({ config, version: VERSION, embedded, demo, interactive: process.stdout.isTTY }))
}

/** The message for the operator if the start failed. */
function explain(error: unknown, config: Config | undefined): string {
  if (error instanceof OperatorError) return error.message
  const { code, port, address, hostname, message, stack } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
    hostname?: string
  }
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop that program, or choose another port: ${config ? settingsFor(config) : ''}PORT=3010 npm start`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${address ?? hostname}. Its addresses: ${Object.values(networkInterfaces())
      .flat()
      .map((i) => i?.address)
      .join(', ')}. Set HOST to one of them.`
  if (code === 'EACCES') return `${message}. Choose a port above 1023, or a DATA_DIR that you can write to.`
  if (code === 'ENOSPC') return 'The disk is full. Free some space and start again; committed data is safe.'
  return stack ?? String(error)
}

let config: Config | undefined
try {
  config = readConfig(process.env)
  keepBuild()
  await (cluster.isWorker ? runWorker(config) : start(config))
} catch (error) {
  console.error(`\nTollgate did not start.\n\n${explain(error, config)}\n`)
  process.exit(1)
}

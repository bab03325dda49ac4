import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { startDemo } from './demo.ts'
import { startJobs } from './jobs.ts'
import { keepBuild } from './kit/build.ts'
import { settingsFor } from './kit/commandLine.ts'
import { type Config, readConfig } from './kit/config.ts'
import { OperatorError } from './kit/error.ts'
import { createLog } from './kit/log.ts'
import { openService } from './kit/service.ts'
import { canChangeHistory } from './ledger/rights.ts'
import { startReport } from './report.ts'

/** The service is closed within this time, or ends without it. */
const CLOSING_MS = 10_000

const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const label = `Tollgate, process ${process.pid}, ${config.publicUrl}`
  const service = await openService(config, { kind: 'service', label }, log)
  if (config.production && (await canChangeHistory(service.ctx)))
    log.warn(
      'the database user can change and delete audit events and decisions; docs/operations.md, "Two roles", says how to prevent it',
    )
  const demo = config.demo ? await startDemo(service, log) : undefined

  const stopping = new AbortController()
  const app = await buildApp({
    ...service,
    facts: {
      version,
      mode: config.demo ? 'evaluation' : 'production',
      database: service.cluster ? 'embedded' : 'external',
      startedAt: Math.floor(Date.now() / 1000),
      shopUrl: demo?.url ?? null,
    },
    mailboxToken: demo?.mailboxToken,
    stopping,
  })
  const jobs = await startJobs(service)
  const stop = closeOnce(config, async () => {
    stopping.abort()
    await sleep(config.shutdownDelay * 1000)
    await Promise.all([app.close(), jobs.close(), demo?.close()])
    await service.close()
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await Promise.all([jobs.close(), demo?.close()])
    await service.close()
    throw error
  }
  const embedded = service.cluster !== undefined
  console.log(startReport({ config, version, embedded, demo, interactive: process.stdout.isTTY }))
}

/** Closes at the first call. At a second call, or if closing takes too long, the process exits. */
function closeOnce({ shutdownDelay }: Config, close: () => Promise<void>): () => void {
  let closing = false
  return () => {
    if (closing) process.exit(1)
    closing = true
    setTimeout(() => process.exit(1), shutdownDelay * 1000 + CLOSING_MS).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
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
  await start(config)
} catch (error) {
  console.error(`\nTollgate did not start.\n\n${explain(error, config)}\n`)
  process.exit(1)
}

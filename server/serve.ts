import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from './app.ts'
import type { Demo } from './demo.ts'
import type { Service } from './kit/service.ts'
import { VERSION } from './kit/version.ts'

/** The service is closed within this time, or ends without it. */
const CLOSING_MS = 10_000

/** A server that listens. */
export type Serving = {
  /**
   * Lets every answer close its connection, goes on for `delay` milliseconds, then answers what is pending and closes. Fails
   * readiness meanwhile, unless other processes of the node go on.
   */
  close(delay: number, end: 'of the node' | 'of the process'): Promise<void>
}

/** Builds the server of a service and listens on the configured port. `embedded`: whose PostgreSQL it is. `metrics`: of all processes. */
export async function serve(
  service: Service,
  { embedded, demo, metrics }: { embedded: boolean; demo: Demo | undefined; metrics?: () => Promise<string> },
): Promise<Serving> {
  const { config } = service.ctx
  const stopping = new AbortController()
  const app = await buildApp({
    ...service,
    facts: {
      version: VERSION,
      mode: config.demo ? 'evaluation' : 'production',
      database: embedded ? 'embedded' : 'external',
      startedAt: Math.floor(Date.now() / 1000),
      shopUrl: demo?.url ?? null,
    },
    mailboxToken: demo?.mailboxToken,
    stopping,
    metrics,
  })
  await app.listen({ port: config.port, host: config.host, backlog: config.backlog })
  return {
    async close(delay, end) {
      stopping.abort(end)
      await sleep(delay)
      await app.close()
    },
  }
}

/**
 * Runs `close` at the first of these signals, and exits. At a second one, or if closing takes more than 10 s longer than
 * `delay` milliseconds, the process exits at once.
 */
export function closeAtSignal(signals: NodeJS.Signals[], delay: number, close: () => Promise<void>): void {
  let closing = false
  const stop = () => {
    if (closing) process.exit(1)
    closing = true
    setTimeout(() => process.exit(1), delay + CLOSING_MS).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of signals) process.on(signal, stop)
}

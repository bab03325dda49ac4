import { setTimeout as sleep } from 'node:timers/promises'
import { type AppParts, buildApp } from './app.ts'
import type { Demo } from './demo.ts'
import { untilItAnswers } from './kit/db/patience.ts'
import { VERSION } from './kit/process/version.ts'
import type { Service } from './kit/service.ts'

/** A server that listens. */
export type Serving = {
  /**
   * Lets every answer close its connection, goes on for `delay` milliseconds, then answers what is pending and closes. Fails
   * readiness meanwhile, unless other processes of the node go on.
   */
  close(delay: number, end: 'of the node' | 'of the process'): Promise<void>
}

/**
 * Builds the server of a service and listens on the configured port. `embedded`: whose PostgreSQL it is. `metrics`: of all processes.
 * Waits for a database that is unavailable, until `ending` is aborted.
 */
export async function serve(
  service: Service,
  {
    embedded,
    demo,
    ending,
    metrics,
  }: { embedded: boolean; demo: Demo | undefined; ending: AbortSignal; metrics?: () => Promise<string> },
): Promise<Serving> {
  const { config, log } = service.ctx
  const stopping = new AbortController()
  const parts: AppParts = {
    ...service,
    facts: {
      version: VERSION,
      mode: config.demo ? 'evaluation' : 'production',
      database: embedded ? 'embedded' : 'external',
      startedAt: Math.floor(Date.now() / 1000),
      shopUrl: demo?.url ?? null,
      story: demo?.story ?? [],
    },
    mailbox: demo && { token: demo.mailboxToken, people: demo.people },
    stopping,
    metrics,
  }
  const app = await untilItAnswers({ log, ending }, async () => {
    const built = await buildApp(parts)
    try {
      await built.ready()
    } catch (error) {
      await built.close()
      throw error
    }
    return built
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

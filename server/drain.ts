import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Every request is answered within 4.5 s: what is open after this long has nothing to wait for. */
const ANSWERED_MS = 5000

/**
 * Lets the service end as soon as what is under way is answered. Node closes the idle connections of a server once,
 * when it begins to close: one whose reply was still owed then would be kept for its next request, and hold up the end.
 */
export function drain(app: FastifyInstance): void {
  const owed = new Set<ServerResponse>()
  app.server.prependListener('request', (_request, response) => {
    owed.add(response)
    response.once('close', () => owed.delete(response))
  })
  app.addHook('preClose', async () => {
    for (const response of owed) {
      response.shouldKeepAlive = false
      // a long-lived reply has already announced that the connection is kept open
      response.once('close', () => app.server.closeIdleConnections())
    }
    // a connection that never asked for anything is not idle to Node
    setTimeout(() => app.server.closeAllConnections(), ANSWERED_MS).unref()
  })
}

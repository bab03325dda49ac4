import type { FastifyInstance } from 'fastify'
import type { Framing } from './framing.ts'

/** Every request is answered within 4.5 s: connections still open after this time wait for nothing. */
const ANSWERED_MS = 5000

/**
 * Lets the service end as soon as pending requests are answered. Node closes idle connections once,
 * when the server begins to close. A connection with a pending reply would be kept alive afterwards and delay the end.
 */
export function drain(app: FastifyInstance, framing: Framing): void {
  app.addHook('preClose', async () => {
    for (const response of framing.pending()) {
      response.shouldKeepAlive = false
      // a long-lived reply has already announced that the connection is kept open
      response.once('close', () => app.server.closeIdleConnections())
    }
    // Node does not treat a connection without any request as idle
    setTimeout(() => app.server.closeAllConnections(), ANSWERED_MS).unref()
  })
}

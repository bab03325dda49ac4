import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Framing } from './framing.ts'

/** Every request is answered within 4.5 s: connections still open after this time wait for nothing. */
const ANSWERED_MS = 5000

/**
 * Lets the service end without losing requests. From `stopping` on, every answer closes its connection, so that clients and
 * proxies connect elsewhere; new connections are accepted until the server begins to close. Node closes idle connections
 * once, at that moment. A connection with a pending reply would be kept alive afterwards and delay the end.
 */
export function drain(app: FastifyInstance, framing: Framing, stopping: AbortController): void {
  const announceEnd = (response: ServerResponse) => {
    response.shouldKeepAlive = false
  }
  stopping.signal.addEventListener('abort', () => {
    for (const response of framing.pending()) announceEnd(response)
    app.server.prependListener('request', (_request, response) => announceEnd(response))
  })
  app.addHook('preClose', async () => {
    stopping.abort()
    // a long-lived reply has already announced that the connection is kept open
    for (const response of framing.pending()) response.once('close', () => app.server.closeIdleConnections())
    // Node does not treat a connection without any request as idle
    setTimeout(() => app.server.closeAllConnections(), ANSWERED_MS).unref()
  })
}

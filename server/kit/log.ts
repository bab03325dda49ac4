import type { IncomingHttpHeaders } from 'node:http'
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** The only request headers that may be logged. All others may contain a secret, a session or personal data. */
const LOGGED_HEADERS = ['host', 'user-agent', 'content-type', 'content-length', 'origin'] as const

/** The facts of a request that may be logged: no body, no query, no address, no other header. */
export function requestFacts(request: { id: string; method: string; url: string; headers: IncomingHttpHeaders }) {
  const headers: Record<string, string> = {}
  for (const name of LOGGED_HEADERS) {
    const value = request.headers[name]
    if (value !== undefined) headers[name] = value.slice(0, 200)
  }
  return { id: request.id, method: request.method, path: request.url.split('?', 1)[0]?.slice(0, 200), headers }
}

/**
 * The parts of an error that may be logged: name, code and stack, and of a database error the parts without values.
 * (PostgreSQL's `detail` and `where` quote row contents; a driver's error can contain the statement's parameters.)
 */
function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>
  const fromDatabase = routine !== undefined
  return {
    type: error.name,
    message: fromDatabase ? error.message.replace(/"[^"]*"/g, '"…"') : error.message,
    code,
    constraint,
    table,
    routine,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: errorFacts(error.cause) }),
  }
}

/** JSON lines to `destination` (default: standard error, so that commands keep standard output for themselves). */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino({ level, base: { name: 'tollgate' }, serializers: { err: errorFacts } }, destination)
}

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

/** Characters of one text in a line. */
const TEXT_MAX = 1000

/** Parts of a line that are deeper or longer than this are cut. */
const DEPTH_MAX = 6
const ITEMS_MAX = 50

/**
 * The parts of an error that may be logged: name, code and the frames of its stack, and the message unless it can quote
 * values. (Prisma's messages print a statement's arguments, a JSON parser's the text, an adapter's PostgreSQL's message;
 * PostgreSQL's `detail` and `where` quote row contents.)
 */
function errorFacts(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const {
    name,
    message,
    code,
    constraint,
    table,
    routine,
    meta,
    cause,
    stack = '',
  } = error as Error & Record<string, unknown> & { meta?: { target?: unknown } }
  if (name.startsWith('Prisma')) return { type: name, code, target: meta?.target }
  const { kind, originalCode } = Object(cause) as Record<string, unknown>
  if (name === 'DriverAdapterError') return { type: name, kind, code: originalCode }
  const quotes = name === 'SyntaxError' || error instanceof SyntaxError
  return {
    type: name,
    message: quotes ? undefined : routine === undefined ? message : message.replace(/"[^"]*"/g, '"…"'),
    code,
    constraint,
    table,
    routine,
    stack: framesOf(stack, message),
    ...(cause === undefined || depth === DEPTH_MAX ? {} : { cause: errorFacts(cause, depth + 1) }),
  }
}

/** The lines of a stack that name places in the code: without its head, which repeats the message. */
function framesOf(stack: string, message: string): string {
  const head = stack.indexOf(message)
  const rest = head === -1 ? '' : stack.slice(head + message.length)
  return rest
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')
}

/** The same with every text cut. Errors are left to the serialiser, which cuts its own. */
function cut(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth === DEPTH_MAX) return '…'
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => cut(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, ITEMS_MAX)
      .map(([name, item]) => [cut(name), cut(item, depth + 1)]),
  )
}

/** JSON lines to `destination` (default: standard error, so that commands keep standard output for themselves). */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino(
    {
      level,
      base: { name: 'tollgate' },
      serializers: { err: (error: unknown) => cut(errorFacts(error)) },
      formatters: { log: (fields) => cut(fields) as Record<string, unknown> },
      hooks: {
        // without a text of its own, a line would get the error's message
        logMethod([first, ...rest], method) {
          const fields = first instanceof Error ? { err: first } : first
          if (typeof fields === 'string') method.call(this, cut(fields) as string, ...rest)
          else
            method.call(
              this,
              fields,
              typeof rest[0] === 'string' ? (cut(rest[0]) as string) : 'error',
              ...rest.slice(1),
            )
        },
      },
    },
    destination,
  )
}

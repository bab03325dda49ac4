import { hashSession, type Tollgate } from '@tollgate/node'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'

/** What the functions of the shop work with. A process has one of each. */
export type Shop = {
  readonly sql: pg.Pool
  readonly tollgate: Tollgate
  /** The configured hostname of the shop's pages, without port. It never comes from a request. */
  readonly hostname: string
  readonly sitekey: string
  /** Address of Tollgate for the visitor's browser. */
  readonly tollgateUrl: string
  /** Key of the session hashes, at least 16 bytes. It is the shop's own, not Tollgate's secret. */
  readonly sessionKey: string
  readonly log: Log
}

/** Writes a line to the log. Secrets, tokens, nonces, sessions and form content must not be among the facts. */
export type Log = (event: string, facts: Readonly<Record<string, string | number | undefined>>) => void

/** What the log may contain of an error. Messages of PostgreSQL and of fetch can quote values, so they are left out. */
export function describe(error: unknown): Parameters<Log>[1] {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { error: error.name, code, at: /\n\s+(at .*)/.exec(error.stack ?? '')?.[1] }
}

/** The visitor's session, as the shop stores it and Tollgate sees it: a keyed hash of the cookie. */
export function sessionOf({ sessionKey }: Shop, { headers }: FastifyRequest): string | undefined {
  const [, value] = /(?:^|; )pennywheel=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '') ?? []
  return value && hashSession(sessionKey, value)
}

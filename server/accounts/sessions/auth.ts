import { createHash } from 'node:crypto'
import type { PrismaClient } from '../../../prisma/client/client.ts'
import type { Context } from '../../kit/context.ts'
import type { Auth } from './create.ts'

/** How long a session is fresh after its person authenticated, in seconds. */
export const FRESH_SECONDS = 600

/** How long a password reset link works, in seconds. */
export const RESET_SECONDS = 3600

/** How long wrong codes lock an account's second factor at first, in seconds. */
export const LOCK_SECONDS = 600

/** The header in which /auth passes the client's address on. Values that clients send in it are dropped there. */
export const ADDRESS_HEADER = 'x-tollgate-address'

/** The version that better-auth knows a sealing key by: a number that stays with the key's id. */
export const secretVersion = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE(0)

const instances = new WeakMap<PrismaClient, Promise<Auth>>()

/**
 * better-auth over our tables: e-mail and password, sessions, second factor, passkeys. Tenants, members and staff are
 * our own functions: better-auth's plugins for them write without an audit row (docs/decisions/0008).
 * Loaded at first use: loading takes half a second of CPU, and most commands and all verifications do not need it.
 */
export function authOf(ctx: Context): Promise<Auth> {
  const known = instances.get(ctx.prisma)
  if (known) return known
  const auth = import('./create.ts').then(({ createAuth }) => createAuth(ctx))
  instances.set(ctx.prisma, auth)
  return auth
}

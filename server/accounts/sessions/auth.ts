import type { PrismaClient } from '../../../prisma/client/client.ts'
import type { Context } from '../../kit/context.ts'
import type { Auth } from './create.ts'

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

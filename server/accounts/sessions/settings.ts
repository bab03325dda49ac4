import { createHash } from 'node:crypto'

/** How long a session is fresh after its person authenticated, in seconds. */
export const FRESH_SECONDS = 600

/** How long a session lasts after the last request, in seconds. */
export const SESSION_SECONDS = 7 * 86_400

/** How long a password reset link works, in seconds. */
export const RESET_SECONDS = 3600

/** How long wrong codes lock an account's second factor at first, in seconds. */
export const LOCK_SECONDS = 600

/** The header in which /auth passes the client's address on. Values that clients send in it are dropped there. */
export const ADDRESS_HEADER = 'x-tollgate-address'

/** The version that better-auth knows a sealing key by: a number that stays with the key's id. */
export const secretVersion = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE(0)

import { randomBytes, randomUUID } from 'node:crypto'

/** A nonce for `createIntent`: 256 random bits. Store it before the call; one for each form. */
export const createNonce = (): string => randomBytes(32).toString('base64url')

/** An idempotency key for `verify`: 256 random bits. Store it before the first call; one for each form. */
export const createIdempotencyKey = (): string => randomBytes(32).toString('base64url')

/** An event id for `feedback`: a UUID. Store it before the call. */
export const createEventId = (): string => randomUUID()

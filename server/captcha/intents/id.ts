import { hash } from 'node:crypto'
import type { Context, Resource } from '../../kit/context.ts'
import { newId, timeOf } from '../../kit/crypto/ids.ts'

type WithKey = Pick<Context, 'resources' | 'clock'>

/** Longer than an intent's lifetime, which is 300 s. */
const RECENT_MS = 600_000

/** The hex digits at the end of an id that are no random bits; 50 of those are left for each millisecond. */
const TAG = 6
const UUID = 36

/** The tag of an id, from its site key and its other digits. Nobody without the deployment's key can make it. */
const TAGS: Resource<(sitekey: string, start: string) => string> = {
  name: 'tags of intent ids',
  make({ keyring }: Context) {
    const key = Buffer.from(keyring.current.hmac(Buffer.from('intent id\0'), Buffer.alloc(0)), 'latin1')
    const prefix = key.toString('base64url')
    return (sitekey, start) => hash('sha256', `${prefix} ${sitekey} ${start}`, 'hex').slice(0, TAG)
  },
}

/** The id of a new intent of the site: a UUIDv7 that `isOwnId` recognises. */
export function newIntentId(ctx: WithKey, sitekey: string): string {
  const start = newId(ctx.clock.now()).slice(0, UUID - TAG)
  return start + ctx.resources.of(TAGS)(sitekey, start)
}

/**
 * Whether this deployment made the id for an intent of the site in the last ten minutes, without a look-up: so that requests with
 * invented ids, which are limited by network, never take from visitors whose intent exists. That the intent was opened and is
 * not redeemed, only a look-up says. An id that is older than the newest key, or made by a version without tags, is not
 * recognised.
 */
export function isOwnId(ctx: WithKey, sitekey: string, id: string): boolean {
  const start = id.slice(0, UUID - TAG)
  return (
    id.length === UUID &&
    ctx.clock.now() - timeOf(id) < RECENT_MS &&
    ctx.resources.of(TAGS)(sitekey, start) === id.slice(UUID - TAG)
  )
}

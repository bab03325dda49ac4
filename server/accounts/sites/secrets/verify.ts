import { createHash, hash, timingSafeEqual } from 'node:crypto'
import type { Context, Resource } from '../../../kit/context.ts'
import { batchStatement } from '../../../kit/db/arrays.ts'
import { batchQueue } from '../../../kit/db/batch.ts'
import type { ClientAddress } from '../../../kit/http/client.ts'
import { type BoundedMap, boundedMap } from '../../../kit/limits/boundedMap.ts'
import {
  FACTS_TTL_MS,
  knownFacts,
  SITE_COLUMNS,
  type SiteFacts,
  type SiteRow,
  toFacts,
  type Unknown,
} from '../facts.ts'
import { isSecretKey } from '../keys.ts'

/** The stored form of a secret key: the SHA-256 of its text. 256 random bits need no slow hash. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The key of the cache of sites. */
const cacheKey = (secret: string): string => hash('sha256', secret, 'base64')

const BY_HASH = batchStatement<Buffer>(
  'site_by_secret',
  { hash: ['bytea', (hash) => hash] },
  ({ unnest }) => `select ${SITE_COLUMNS}, k.hash,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as unnoted,
      (extract(epoch from k.expires_at - now()) * 1000)::float8 as expires_in
    from ${unnest}
    left join secret k on k.hash = item.hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    left join site s on s.id = k.site_id left join tenant t on t.id = s.tenant_id order by item.ord`,
)

type SecretRow = SiteRow & { hash: Buffer; unnoted: boolean; expires_in: number | null }

/** Look-ups share a statement, as those of site keys do (facts.ts). */
const QUEUE = batchQueue<Buffer, SecretRow | Unknown>('site_by_secret', {
  key: (hash) => hash.toString('base64'),
  run: (pool, hashes) => pool.query<SecretRow | Unknown>(BY_HASH, BY_HASH.values(hashes)),
})

const NOTE_USE = {
  name: 'note_secret_use',
  text: `/* note_secret_use */ update secret set last_used_at = now(), used_by = $2, used_from = $3
    where hash = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
}

/** A server that sent a secret. `userAgent`: as it sent it. */
export type Caller = { address: ClientAddress; userAgent: string | undefined }

const AGENT_MAX = 80

/** What is stored of a caller: the printable start of its User-Agent, and the area of its address. */
export const callerColumns = (caller: Caller | undefined): [agent: string | null, area: string | null] => [
  caller?.userAgent?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, AGENT_MAX) || null,
  caller?.address.area ?? null,
]

/** Hashes that belonged to an active secret at their last look-up. */
const SEEN: Resource<BoundedMap<true>> = { name: 'live secrets', make: () => boundedMap({ max: 20_000 }) }

/** Whether the secret can be verified without counting a look-up: it is cached, was active before, or is a typo. */
export function isFamiliar(ctx: Context, secret: string): boolean {
  if (!isSecretKey(secret)) return true
  const key = cacheKey(secret)
  return ctx.resources.of(SEEN).has(key) || knownFacts(ctx).has(key)
}

/** The cached site of a secret; undefined if it has to be looked up. */
export const cachedSecret = (ctx: Context, secret: string): SiteFacts | undefined =>
  knownFacts(ctx).peek(cacheKey(secret))

/**
 * The site of an active secret; undefined for a typo and for an unknown, revoked or expired secret.
 * The checksum detects typing errors without the database. Cached for at most 5 s, and never past the end of a rotation's
 * overlap.
 */
export async function verifySecret(ctx: Context, secret: string, caller?: Caller): Promise<SiteFacts | undefined> {
  if (!isSecretKey(secret)) return undefined
  const key = cacheKey(secret)
  return knownFacts(ctx).read(key, async () => {
    const hash = hashSecret(secret)
    const row = await ctx.resources.of(QUEUE).add(hash)
    const live = row.id !== null && timingSafeEqual(row.hash, hash)
    const seen = ctx.resources.of(SEEN)
    if (!live) {
      seen.delete(key)
      return undefined
    }
    seen.set(key, true)
    // for the console, without waiting; a failure here does not fail the call
    if (row.unnoted) ctx.hotPool.query(NOTE_USE, [hash, ...callerColumns(caller)]).catch(() => undefined)
    return { value: toFacts(row), ttl: row.expires_in ?? FACTS_TTL_MS }
  })
}

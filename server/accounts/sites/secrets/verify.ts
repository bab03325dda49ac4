import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../kit/context.ts'
import { isSecretKey } from '../../../kit/ids.ts'
import { FACTS_TTL_MS, knownFacts, SITE_COLUMNS, type SiteFacts, type SiteRow, toFacts } from '../facts.ts'

/** What is stored of a secret key: the SHA-256 of its text. 256 random bits need no slow hash. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const BY_HASH = {
  name: 'site_by_secret',
  text: `/* site_by_secret */ select ${SITE_COLUMNS}, k.hash,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as unnoted, (extract(epoch from k.expires_at - now()) * 1000)::float8 as expires_in
    from secret k join site s on s.id = k.site_id join tenant t on t.id = s.tenant_id
    where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
}

const NOTE_USE = {
  name: 'note_secret_use',
  text: `/* note_secret_use */ update secret set last_used_at = now()
    where hash = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
}

/**
 * The site whose live secret this is; undefined for a typo, an unknown, a revoked or an outlived one.
 * A typo is told by its checksum, without the database. Cached for 5 s at most, never past the end of a rotation's
 * overlap.
 */
export async function verifySecret(ctx: Context, secret: string): Promise<SiteFacts | undefined> {
  if (!isSecretKey(secret)) return undefined
  const hash = hashSecret(secret)
  return knownFacts(ctx).read(hash.toString('base64'), async () => {
    const [row] = await ctx.hotPool.query<SiteRow & { hash: Buffer; unnoted: boolean; expires_in: number | null }>(
      BY_HASH,
      [hash],
    )
    if (!row || !timingSafeEqual(row.hash, hash)) return undefined
    // for the console; nothing waits for it, and a use that could not be noted is no fault of the call
    if (row.unnoted) ctx.hotPool.query(NOTE_USE, [hash]).catch(() => undefined)
    return { value: toFacts(row), ttl: row.expires_in ?? FACTS_TTL_MS }
  })
}

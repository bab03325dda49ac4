import { may } from '../../contract/permissions.ts'
import { SCOPES, type Scope } from '../../contract/scopes.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { checkName } from '../name.ts'
import { findOwnSite } from '../sites/find.ts'
import { newApiKey } from '../sites/keys.ts'
import { lastFour } from '../sites/secrets/issue.ts'
import { hashSecret } from '../sites/secrets/verify.ts'

const LIVE_MAX = 50
const DAYS_MAX = 366

/** `sites`: their ids; none: all sites, also later ones. `days`: after which the key expires; null: never. */
export type NewKey = { name: string; scopes: Scope[]; sites: string[]; days: number | null }

/** Creates a key of the management API. Its text is returned only here. Throws AppError. */
export async function createKey(ctx: MemberCtx, input: NewKey): Promise<{ id: string; key: string; last4: string }> {
  const { tenant, role, user } = ctx
  const name = checkName('key', input.name)
  const scopes = [...new Set(input.scopes)]
  for (const scope of scopes)
    if (!SCOPES[scope].some((permission) => may(role, permission))) throw new AppError('key-exceeds-role', { scope })
  if (input.days === null ? role !== 'owner' : input.days < 1 || input.days > DAYS_MAX)
    throw new AppError('key-expiry-invalid')
  const sites = [...new Set(input.sites)]
  for (const site of sites) await findOwnSite(ctx, site)
  return change(ctx, async ({ prisma }) => {
    // keys of a tenant are created one at a time; the count is a second statement, whose snapshot is newer than the lock
    await prisma.$queryRaw`select 1 from tenant where id = ${tenant.id}::uuid for no key update`
    const [row] = await prisma.$queryRaw<{ live: number }[]>`
      select count(*)::int as live from api_key
      where tenant_id = ${tenant.id}::uuid and revoked_at is null and (expires_at is null or expires_at > now())`
    if ((row?.live ?? 0) >= LIVE_MAX) throw new AppError('too-many-keys', { most: LIVE_MAX })
    const [id, key] = [newId(), newApiKey()]
    await prisma.$executeRaw`
      insert into api_key (id, tenant_id, name, hash, last4, scopes, sites, created_by, expires_at)
      values (${id}::uuid, ${tenant.id}::uuid, ${name}, ${hashSecret(key)}, ${lastFour(key)}, ${scopes}, ${sites}::uuid[],
        ${user.id}::uuid, now() + make_interval(days => ${input.days}::int))`
    return {
      out: { id, key, last4: lastFour(key) },
      change: {
        tenantId: tenant.id,
        action: 'key.create',
        target: id,
        after: { name, last4: lastFour(key), scopes, sites, days: input.days },
      },
    }
  })
}

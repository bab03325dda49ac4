import { may, type Permission, type Role } from '../../contract/permissions.ts'
import { type Scope, scopesHave } from '../../contract/scopes.ts'
import type { Context } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'
import { networkLimits } from '../../kit/http/client.ts'
import { takeAll } from '../../kit/limits/takeAll.ts'
import { isLockedOut } from '../access.ts'
import { isApiKey } from '../sites/keys.ts'
import { type Caller, callerColumns, hashSecret } from '../sites/secrets/verify.ts'
import { unknownSecrets } from '../sites/strangers.ts'
import type { KeyFacts } from './facts.ts'

type Row = {
  id: string
  name: string
  scopes: Scope[]
  sites: string[]
  expires_at: number | null
  tenant: KeyFacts['tenant']
  creator: KeyFacts['creator'] | null
  role: Role | null
}

const NOBODY: KeyFacts['creator'] = { id: '', email: '', name: '', twoFactorEnabled: false }

/**
 * The key of this text; undefined for a typo and for an unknown, revoked or expired key. Unknown ones count for the client's
 * network as unknown secrets do. Throws `calls-too-fast` for an address that guesses.
 */
export async function findKey(ctx: Context, text: string, caller: Caller): Promise<KeyFacts | undefined> {
  if (!isApiKey(text)) return undefined
  const hash = hashSecret(text)
  const [, area] = callerColumns(caller)
  const [row] = await ctx.prisma.$queryRaw<Row[]>`
    with used as (
      update api_key set last_used_at = now(), used_from = ${area}
      where hash = ${hash} and (last_used_at is null or last_used_at < now() - interval '1 minute')
    )
    select k.id::text as id, k.name, k.scopes, k.sites::text[] as sites, m.role::text as role,
      extract(epoch from k.expires_at)::float8 as expires_at,
      jsonb_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'require2fa', t.require_2fa) as tenant,
      case when u.id is not null then jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name,
        'twoFactorEnabled', coalesce(u.two_factor_enabled, false)) end as creator
    from api_key k
    join tenant t on t.id = k.tenant_id and t.deleted_at is null
    left join member m on m.tenant_id = k.tenant_id and m.user_id = k.created_by
    left join "user" u on u.id = m.user_id
    where k.hash = ${hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`
  if (!row) {
    const { retryAfter } = await takeAll(ctx, networkLimits(unknownSecrets(ctx), caller.address))
    if (retryAfter > 0) throw new AppError('calls-too-fast', { wait: retryAfter, retryAfter })
    return undefined
  }
  const { creator, role, tenant, sites, expires_at, ...key } = row
  return {
    ...key,
    tenant,
    sites: sites.length > 0 ? sites : undefined,
    expiresAt: expires_at === null ? null : Math.floor(expires_at),
    role: creator && !isLockedOut(tenant, creator) ? role : null,
    creator: creator ?? NOBODY,
  }
}

/** Throws AppError unless one of the key's scopes has the permission, and its creator has it, too. */
export function requireScope({ scopes, role }: KeyFacts, permission: Permission): void {
  if (!scopesHave(scopes, permission)) throw new AppError('scope-required', { permission })
  if (role === null || !may(role, permission)) throw new AppError('creator-role-required')
}

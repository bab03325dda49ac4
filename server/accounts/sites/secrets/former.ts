import type { Context } from '../../../kit/context.ts'
import { isSecretKey } from '../keys.ts'
import { type Caller, callerColumns, hashSecret } from './verify.ts'

const FORMER = {
  name: 'site_of_former_secret',
  text: `/* site_of_former_secret */ select site_id as id, tenant_id as "tenantId",
      coalesce(refused_at < now() - interval '1 minute', true) as unnoted
    from secret where hash = $1`,
}

const NOTE_REFUSED = {
  name: 'note_secret_refused',
  text: `/* note_secret_refused */ update secret set refused_at = now(), used_by = $2, used_from = $3
    where hash = $1 and (refused_at is null or refused_at < now() - interval '1 minute')`,
}

/**
 * The site of a refused secret, if it was once active, so that its merchant can see that one of
 * their servers still uses it, and which. Undefined for a typo and for a text that was never a secret.
 */
export async function formerOwner(
  ctx: Pick<Context, 'hotPool'>,
  secret: string,
  caller: Caller,
): Promise<{ id: string; tenantId: string } | undefined> {
  if (!isSecretKey(secret)) return undefined
  const hash = hashSecret(secret)
  const [row] = await ctx.hotPool.query<{ id: string; tenantId: string; unnoted: boolean }>(FORMER, [hash])
  if (!row) return undefined
  if (row.unnoted) await ctx.hotPool.query(NOTE_REFUSED, [hash, ...callerColumns(caller)])
  return { id: row.id, tenantId: row.tenantId }
}

import type { Context } from '../../../kit/context.ts'
import { isSecretKey } from '../keys.ts'
import { hashSecret } from './verify.ts'

const FORMER = {
  name: 'site_of_former_secret',
  text: '/* site_of_former_secret */ select site_id as id, tenant_id as "tenantId" from secret where hash = $1',
}

/**
 * The site of a refused secret, if it was once active, so that its merchant can see that one of
 * their servers still uses it. Undefined for a typo and for a text that was never a secret.
 */
export async function formerOwner(
  ctx: Pick<Context, 'hotPool'>,
  secret: string,
): Promise<{ id: string; tenantId: string } | undefined> {
  if (!isSecretKey(secret)) return undefined
  const [row] = await ctx.hotPool.query<{ id: string; tenantId: string }>(FORMER, [hashSecret(secret)])
  return row
}

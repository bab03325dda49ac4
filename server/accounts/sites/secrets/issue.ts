import { newId } from '../../../kit/crypto/ids.ts'
import type { ActorContext } from '../../change.ts'
import { newSecretKey } from '../keys.ts'
import { hashSecret } from './verify.ts'

/** The four characters by which people recognise a secret, wherever it is shown: its last ones. */
export const lastFour = (secret: string): string => secret.slice(-4)

/** Creates a secret of the site and returns its text, which is not stored. Joins the caller's transaction. */
export async function issueSecret(
  ctx: ActorContext,
  site: { id: string; tenantId: string },
): Promise<{ id: string; secret: string; last4: string }> {
  const secret = newSecretKey()
  const row = {
    id: newId(),
    siteId: site.id,
    tenantId: site.tenantId,
    hash: new Uint8Array(hashSecret(secret)),
    last4: lastFour(secret),
  }
  await ctx.prisma.secret.create({ data: row })
  return { id: row.id, secret, last4: row.last4 }
}

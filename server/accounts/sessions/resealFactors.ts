import type { Context } from '../../kit/context.ts'
import { authOf } from './auth.ts'
import { secretVersion } from './settings.ts'

const PAGE = 500

/**
 * Re-encrypts second factors and recovery codes of a former sealing key with the current one, so that the former key can be
 * removed. Runs at each start, so that the last node of a rotation finds what others still wrote. A row that changes
 * meanwhile is skipped; one with a missing key is skipped and logged.
 */
export async function resealFactors(ctx: Context): Promise<void> {
  const current = { startsWith: `$ba$${secretVersion(ctx.keyring.current.id)}$` }
  const former = { OR: [{ NOT: { secret: current } }, { NOT: { backupCodes: current } }] }
  let lost = 0
  for (let after = ''; ; ) {
    const rows = await ctx.prisma.twoFactor.findMany({
      where: { ...former, ...(after !== '' && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      take: PAGE,
    })
    const last = rows.at(-1)
    if (!last) break
    after = last.id
    const reseal = await resealing(ctx)
    for (const { id, secret, backupCodes } of rows) {
      try {
        const data = { secret: await reseal(secret), backupCodes: await reseal(backupCodes) }
        await ctx.prisma.twoFactor.updateMany({ where: { id, secret, backupCodes }, data })
      } catch (error) {
        if (!(error instanceof KeyGone)) throw error
        lost += 1
      }
    }
  }
  if (lost > 0) ctx.log.warn({ lost }, 'second factors are encrypted with a sealing key that is not in TOLLGATE_KEYS')
}

class KeyGone extends Error {}

/** Decrypts with the key that encrypted, and encrypts with the current one. Throws KeyGone. */
async function resealing(ctx: Context): Promise<(data: string) => Promise<string>> {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  const { secretConfig: key } = await (await authOf(ctx)).$context
  return async (data) => {
    const text = await symmetricDecrypt({ key, data }).catch((cause: unknown) => {
      throw new KeyGone('no key decrypts it', { cause })
    })
    return symmetricEncrypt({ key, data: text })
  }
}

import { createHash } from 'node:crypto'
import { REPLY_KEPT } from '../accounts/sweep.ts'
import type { Context } from '../kit/context.ts'
import { decrypt, encrypt } from '../kit/crypto/encrypt.ts'
import { newId } from '../kit/crypto/ids.ts'
import { transact } from '../kit/db/transact.ts'
import { AppError } from '../kit/error.ts'

const PURPOSE = 'api-reply'

/**
 * Runs `work` once for a key and an Idempotency-Key: the change and its reply commit together, a repetition gets the same reply,
 * and one at the same time waits. `request`: what a repetition must send again. A refusal is not kept. Throws AppError.
 */
export async function callOnce<Out>(
  ctx: Context,
  { keyId, name, request }: { keyId: string; name: string; request: unknown },
  work: (ctx: Context) => Promise<Out>,
): Promise<Out> {
  const asked = createHash('sha256').update(JSON.stringify(request)).digest()
  return transact(ctx, async (ctx) => {
    const bound = `${keyId} ${name}`
    const [mine] = await ctx.prisma.$queryRaw<{ id: string }[]>`
      insert into api_reply as r (id, key_id, name, request) values (${newId()}::uuid, ${keyId}::uuid, ${name}, ${asked})
      on conflict (key_id, name) do update set request = excluded.request, created_at = now(), reply = null
        where r.created_at < now() - ${REPLY_KEPT}::interval
      returning id::text as id`
    if (!mine) {
      const [row] = await ctx.prisma.$queryRaw<{ request: Uint8Array; reply: string }[]>`
        select request, reply from api_reply where key_id = ${keyId}::uuid and name = ${name}`
      if (!row || !asked.equals(row.request)) throw new AppError('repeated-differently')
      return JSON.parse(decrypt(ctx.keyring, PURPOSE, row.reply, bound)) as Out
    }
    // inside the transaction all that the call writes joins it
    const out = await work(ctx)
    const reply = encrypt(ctx.keyring, PURPOSE, JSON.stringify(out), bound)
    await ctx.prisma.$executeRaw`update api_reply set reply = ${reply} where id = ${mine.id}::uuid`
    return out
  })
}

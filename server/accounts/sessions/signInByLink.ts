import type { Context } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'
import { authOf } from './auth.ts'
import { type Client, recordSignIn } from './events.ts'
import { openSession } from './open.ts'
import { refusalResponse, refuseCode } from './proof.ts'
import { endResetLinks, resetIdentifier } from './resetLinks.ts'

/**
 * Where there are no passwords, the link of the command line signs in, once: the way back in when the identity provider is
 * down. With an authenticator it takes the code too. Returns the cookie, or the refusal of the code. Throws AppError.
 */
export async function signInByLink(
  ctx: Context,
  { token, code, client }: { token: string; code: unknown; client: Client },
): Promise<Response | { cookie: string }> {
  const { internalAdapter } = await (await authOf(ctx)).$context
  const link = await internalAdapter.findVerificationValue(resetIdentifier(token))
  if (!link || link.expiresAt.getTime() <= ctx.clock.now()) throw new AppError('sign-in-expired')
  const user = await ctx.prisma.user.findUniqueOrThrow({ where: { id: link.value } })
  const refused = await refuseCode(ctx, user, code, client)
  if (refused) return refusalResponse(refused)
  const { count } = await ctx.prisma.verification.deleteMany({ where: { id: link.id } })
  if (count === 0) throw new AppError('sign-in-expired')
  await endResetLinks(ctx, user.id)
  const cookie = await openSession(ctx, user.id, { client, former: undefined })
  await recordSignIn(ctx, user, 'link', client)
  return { cookie }
}

import { AppError } from '../../kit/error.ts'
import { change } from '../change.ts'
import { putOnce } from './oneTime.ts'
import { type OidcContext, verifyToken } from './provider.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** The recommended type, and that of providers which type all their tokens the same. */
const TYPES = ['logout+jwt', 'jwt']

/** Seconds after which a logout token is not accepted any more: less than its id is remembered. */
const MAX_AGE = 300

/** Ends the sessions that a logout token names, by OpenID Connect Back-Channel Logout 1.0. Throws AppError. */
export async function endByLogoutToken(ctx: OidcContext, token: string): Promise<void> {
  const claims = await verifyToken(ctx, token, { requiredClaims: ['jti', 'events'], types: TYPES })
  const { sub = null, sid = null, events, jti, iat = 0 } = claims as typeof claims & { sid?: unknown; events?: unknown }
  const isLogout = typeof Object(Object(events)[EVENT]) === 'object' && EVENT in Object(events)
  const isOld = ctx.clock.now() / 1000 - iat > MAX_AGE
  if (!isLogout || isOld || 'nonce' in claims || (sub === null && typeof sid !== 'string'))
    throw new AppError('provider-response-invalid')
  if (!(await putOnce(ctx, 'logout', String(jti), {}))) throw new AppError('provider-response-invalid')
  const { issuer } = ctx.config.oidc
  const where = {
    ...(typeof sid === 'string' && { sid }),
    account: { providerId: issuer, ...(sub !== null && { accountId: sub }) },
  }
  const ended = await ctx.prisma.session.findMany({ where, select: { userId: true } })
  for (const userId of new Set(ended.map((session) => session.userId)))
    await change({ ...ctx, actor: { type: 'oidc', id: issuer } }, async (ctx) => {
      const { count } = await ctx.prisma.session.deleteMany({ where: { ...where, userId } })
      const after = { ended: count }
      return { out: undefined, change: { tenantId: null, action: 'session.logout', target: userId, after } }
    })
}

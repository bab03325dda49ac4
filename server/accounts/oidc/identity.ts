import type { JWTPayload } from 'jose'
import { EMAIL, isName } from '../../contract/names.ts'
import type { StaffLevel } from '../../contract/permissions.ts'
import type { Oidc } from '../../kit/config/oidc.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { AppError } from '../../kit/error.ts'
import { change } from '../change.ts'
import { findOpenInvitation } from '../members/open.ts'
import { endSessions } from '../sessions/end.ts'
import { ensurePerson } from '../sessions/person.ts'
import type { OidcContext } from './provider.ts'

/** What a sign-in keeps of the provider's claims. `level`: of staff; undefined if the provider does not decide it. */
export type Identity = {
  sub: string
  sid: string | undefined
  mfa: boolean
  level: StaffLevel | null | undefined
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string')

function levelOf({ staffClaims }: Oidc, claims: JWTPayload): StaffLevel | null | undefined {
  if (!staffClaims) return undefined
  const given = staffClaims.filter(({ claim, value }) => texts(claims[claim]).includes(value))
  return given.find(({ level }) => level === 'lead')?.level ?? given[0]?.level ?? null
}

export const identityOf = ({ config: { oidc } }: OidcContext, claims: JWTPayload & { sub: string }): Identity => ({
  sub: claims.sub,
  sid: texts(claims['sid'])[0],
  mfa: oidc.trustAmr && texts(claims['amr']).includes('mfa'),
  level: levelOf(oidc, claims),
})

const ACCOUNT = { user: { select: { id: true, email: true, twoFactorEnabled: true } } } as const

/** The account that the identity is linked to. */
export const findLinked = ({ prisma, config }: OidcContext, sub: string) =>
  prisma.account.findUnique({
    where: { providerId_accountId: { providerId: config.oidc.issuer, accountId: sub } },
    select: { id: true, ...ACCOUNT },
  })

/** Links the identity to the person. Of several links at once the first counts. */
export async function link(ctx: OidcContext, userId: string, sub: string) {
  const data = { id: newId(), userId, providerId: ctx.config.oidc.issuer, accountId: sub }
  await ctx.prisma.account.createMany({ data, skipDuplicates: true })
  const linked = await findLinked(ctx, sub)
  if (linked?.user.id !== userId) throw new AppError('sign-in-expired')
  return linked
}

/**
 * The existing account with the verified e-mail address of a new identity, which the person has to prove, or undefined after
 * an account was created. Throws AppError.
 */
export async function findOrSignUp(
  ctx: OidcContext,
  claims: JWTPayload & { sub: string },
): Promise<{ existing: { id: string; email: string } } | undefined> {
  const { signUp, oidc } = ctx.config
  const given = claims['email']
  // some providers write a boolean as text
  const verified = [true, 'true'].some((value) => value === claims['email_verified'])
  if (typeof given !== 'string' || !EMAIL.test(given) || !verified) throw new AppError('email-unverified')
  const email = given.toLowerCase()
  const existing = await ctx.prisma.user.findUnique({ where: { email } })
  if (existing?.emailVerified) return { existing }
  if (oidc.domains && !oidc.domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new AppError('domain-refused')
  if (!signUp && !(await findOpenInvitation(ctx, email))) throw new AppError('invitation-required')
  const [name] = texts(claims['name']).map((text) => text.trim().normalize())
  const person = await ensurePerson(ctx, { email, ...(name !== undefined && isName(name) && { name }) })
  await link(ctx, person.id, claims.sub)
  return undefined
}

/** Gives the person the staff level that the claims say, or takes it away. Their other sessions end, as their rights change. */
export async function applyLevel(
  ctx: OidcContext,
  userId: string,
  level: StaffLevel | null | undefined,
): Promise<void> {
  if (level === undefined) return
  await change({ ...ctx, actor: { type: 'oidc', id: ctx.config.oidc.issuer } }, async (ctx) => {
    const { staffLevel, email } = await ctx.prisma.user.findUniqueOrThrow({ where: { id: userId } })
    if (staffLevel === level) return { out: undefined, change: null }
    await ctx.prisma.user.update({ where: { id: userId }, data: { staffLevel: level } })
    await endSessions(ctx, userId)
    const [before, after] = [{ level: staffLevel }, { level, email }]
    return { out: undefined, change: { tenantId: null, action: 'staff.appoint', target: userId, before, after } }
  })
}

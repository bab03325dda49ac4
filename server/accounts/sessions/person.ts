import { randomBytes } from 'node:crypto'
import { EMAIL } from '../../contract/names.ts'
import type { Context } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { seconds } from '../../kit/db/clock.ts'
import { AppError } from '../../kit/error.ts'
import { enqueueEmails } from '../../kit/queue/email.ts'
import { authOf } from './auth.ts'
import { resetEmail, resetLink } from './emails.ts'
import { endAccess, endSessions } from './end.ts'
import { refuseWeak } from './passwords.ts'
import { endResetLinks, resetIdentifier } from './resetLinks.ts'
import { RESET_SECONDS } from './settings.ts'

/** An e-mail address as it is stored. Throws AppError. */
export function emailOf(text: string): string {
  const email = text.trim()
  // before the change to lower case, which turns some other letters into ASCII
  if (!EMAIL.test(email)) throw new AppError('email-invalid', { email: text })
  return email.toLowerCase()
}

/** `locked`: there is no password yet, so the person needs a link. */
export type EnsuredPerson = { id: string; email: string; created: boolean; locked: boolean }

/**
 * The person of an e-mail address, created with a verified address if missing. For operators and the seed.
 * If the address signed up but was never verified, the password chosen then is deleted.
 */
export async function ensurePerson(ctx: Context, input: { email: string; name?: string }): Promise<EnsuredPerson> {
  const email = emailOf(input.email)
  const { internalAdapter } = await (await authOf(ctx)).$context
  const known = await internalAdapter.findUserByEmail(email)
  if (!known) {
    const name = input.name ?? email.slice(0, email.indexOf('@'))
    const user = await internalAdapter.createUser({ email, name, emailVerified: true }, { method: 'admin' })
    return { id: user.id, email, created: true, locked: true }
  }
  const { id } = known.user
  if (!known.user.emailVerified) {
    await ctx.prisma.account.deleteMany({ where: { userId: id } })
    await endAccess(ctx, id, { factor: true })
    await ctx.prisma.user.update({ where: { id }, data: { emailVerified: true } })
  }
  return { id, email, created: false, locked: (await ctx.prisma.account.count({ where: { userId: id } })) === 0 }
}

/** Sets a person's password and ends their sessions. Throws AppError if it is weak. */
export async function setPassword(ctx: Context, userId: string, password: string): Promise<void> {
  const { email } = await ctx.prisma.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } })
  await refuseWeak(password, email)
  const hash = await (await (await authOf(ctx)).$context).password.hash(password)
  const key = { providerId: 'credential', accountId: userId }
  await ctx.prisma.account.upsert({
    where: { providerId_accountId: key },
    create: { id: newId(), userId, ...key, password: hash },
    update: { password: hash },
  })
  await endResetLinks(ctx, userId)
  await endSessions(ctx, userId)
}

/**
 * Lets a person choose a password by a link that works once, for one hour: e-mailed by the service if a mail server is
 * configured, otherwise returned for the operator to pass on.
 */
export async function welcomePerson(
  ctx: Context,
  person: { id: string; email: string },
): Promise<{ link: string | undefined }> {
  const token = randomBytes(24).toString('base64url')
  const { internalAdapter } = await (await authOf(ctx)).$context
  await internalAdapter.createVerificationValue({
    identifier: resetIdentifier(token),
    value: person.id,
    expiresAt: new Date(Date.now() + RESET_SECONDS * 1000),
  })
  await endResetLinks(ctx, person.id, token)
  const { publicUrl, smtpUrl } = ctx.config
  if (smtpUrl === undefined) return { link: resetLink(publicUrl, token) }
  const until = seconds(Date.now()) + RESET_SECONDS
  await enqueueEmails(ctx, [{ ...resetEmail(publicUrl, person, token), until }])
  return { link: undefined }
}

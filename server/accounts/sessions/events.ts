import type { Context } from '../../kit/context.ts'
import { change } from '../change.ts'
import { composeEmail } from '../email.ts'

/** Changes of how a person signs in, with the sentence of the e-mail about it. */
const FACTORS = {
  'passkey.add': 'A passkey was added to your account. It can sign in without your password.',
  'passkey.remove': 'A passkey was removed from your account.',
  'two_factor.enable': 'Two-factor authentication was turned on for your account.',
  'two_factor.disable': 'Two-factor authentication was turned off for your account.',
  'recovery_codes.create': 'New recovery codes were created for your account. The earlier ones stopped working.',
  'recovery_code.use': 'A recovery code of your account was used instead of a code of your authenticator app.',
  'password.change': 'The password of your account was changed. All other sessions were ended.',
  'password.reset':
    'A new password was chosen for your account by an e-mailed link. All sessions were ended and all passkeys removed.',
} as const

export type FactorEvent = keyof typeof FACTORS

type Owner = { id: string; email: string }

/** Records in the audit log what a person did with their account. */
const record = (ctx: Context, { id }: Owner, action: string): Promise<void> =>
  change({ ...ctx, actor: { type: 'user', id } }, async () => ({
    out: undefined,
    change: { tenantId: null, action, target: id },
  }))

export const recordSignIn = (ctx: Context, owner: Owner): Promise<void> => record(ctx, owner, 'session.create')

/** Records a change of how the person signs in and sends them an e-mail, so that they learn of one that was not theirs. */
export async function recordFactor(ctx: Context, owner: Owner, event: FactorEvent): Promise<void> {
  await record(ctx, owner, event)
  const email = composeEmail({
    to: owner.email,
    subject: 'Your sign-in settings were changed',
    paragraphs: [FACTORS[event]],
    link: { label: 'Choose a new password if it was not you', url: `${ctx.config.publicUrl}/forgot` },
    ending: 'If it was you, ignore this e-mail.',
  })
  void ctx.mail.send(email).catch((err: unknown) => ctx.log.error({ err }, 'an e-mail could not be sent'))
}

/** The events of better-auth's paths. */
const PATHS: Readonly<Record<string, FactorEvent>> = {
  '/passkey/verify-registration': 'passkey.add',
  '/passkey/delete-passkey': 'passkey.remove',
  '/two-factor/disable': 'two_factor.disable',
  '/two-factor/generate-backup-codes': 'recovery_codes.create',
  '/two-factor/verify-backup-code': 'recovery_code.use',
  '/change-password': 'password.change',
}

type Known = { user: Owner & Record<string, unknown> } | null

/** Records what a successful request to better-auth did. `opened`: the session that it opened. */
export async function recordRequest(
  ctx: Context,
  path: string,
  { session, opened }: { session: Known; opened: Known },
): Promise<void> {
  const owner = (session ?? opened)?.user
  if (!owner) return
  const event = PATHS[path]
  if (event) await recordFactor(ctx, owner, event)
  // after the password alone, a person with a second factor is not signed in yet
  const complete = path !== '/sign-in/email' || opened?.user['twoFactorEnabled'] !== true
  if (opened && !session && complete) await recordSignIn(ctx, owner)
}

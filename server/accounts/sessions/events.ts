import type { Context } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { ClientAddress } from '../../kit/http/client.ts'
import type { Email } from '../../kit/process/mail.ts'
import { enqueueEmails } from '../../kit/queue/email.ts'
import { change } from '../change.ts'
import { composeEmail } from '../email.ts'
import { ADDRESS_HEADER } from './settings.ts'

/** Changes of how a person signs in, with the sentence of the e-mail about it. */
const FACTORS = {
  'passkey.add': 'A passkey was added to your account. It can sign in without your password.',
  'passkey.remove': 'A passkey was removed from your account.',
  'two_factor.enable': 'Two-factor authentication was turned on for your account.',
  'two_factor.disable': 'Two-factor authentication was turned off for your account.',
  'recovery_codes.create': 'New recovery codes were created for your account. The earlier ones stopped working.',
  'recovery_code.use': 'A recovery code of your account was used instead of a code of your authenticator app.',
  'identity.link': 'Your account was linked to your identity at the identity provider, which can now sign in to it.',
  'identity.unlink': 'Your account was unlinked from your identity at the identity provider.',
  'password.change': 'The password of your account was changed. All other sessions were ended.',
  'password.reset':
    'A new password was chosen for your account by an e-mailed link. All sessions were ended and all passkeys removed.',
} as const

export type FactorEvent = keyof typeof FACTORS

export type AccountAction = FactorEvent | 'session.create'

type Owner = { id: string; email: string }

/** What a request says about the person's browser. `address`: of the client. */
export type Client = { address: string | undefined; userAgent: string | undefined }

/** The client of a request that was passed to better-auth. */
export const clientOf = (headers: Headers | undefined): Client => ({
  address: headers?.get(ADDRESS_HEADER) ?? undefined,
  userAgent: headers?.get('user-agent') ?? undefined,
})

const USER_AGENT_MAX = 256

/** Which way a person signed in. */
export type Way = 'password' | 'passkey' | 'oidc' | 'link'

/** Records in the audit log what a person did with their account, and for the person also from where. `email`: about it. */
const record = (
  ctx: Context,
  { id: userId }: Pick<Owner, 'id'>,
  { action, client, email, by }: { action: AccountAction; client: Client; email?: Email; by?: Way },
): Promise<void> =>
  change({ ...ctx, actor: { type: 'user', id: userId } }, async (ctx) => {
    const id = newId()
    const network = client.address === undefined ? undefined : new ClientAddress(client.address).area
    const userAgent = (client.userAgent ?? '').slice(0, USER_AGENT_MAX)
    // this table is swept by the database's clock, and a default of Prisma's is the node's
    const createdAt = new Date(ctx.clock.now())
    await ctx.prisma.accountEvent.create({ data: { id, userId, network: network ?? null, userAgent, createdAt } })
    if (email) await enqueueEmails(ctx, [email])
    return { out: undefined, change: { id, tenantId: null, action, target: userId, ...(by && { after: { by } }) } }
  })

/** Records that a person signed in. */
export const recordSignIn = (ctx: Context, owner: Pick<Owner, 'id'>, by: Way, client: Client): Promise<void> =>
  record(ctx, owner, { action: 'session.create', client, by })

/** Records a change of how the person signs in and sends them an e-mail, so that they learn of one that was not theirs. */
export async function recordFactor(ctx: Context, owner: Owner, event: FactorEvent, client: Client): Promise<void> {
  const email = composeEmail({
    to: owner.email,
    subject: 'Your sign-in settings were changed',
    paragraphs: [FACTORS[event]],
    link: { label: 'Choose a new password if it was not you', url: `${ctx.config.publicUrl}/forgot` },
    ending: 'If it was you, ignore this e-mail.',
  })
  await record(ctx, owner, { action: event, client, email })
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
  { session, opened, client }: { session: Known; opened: Known; client: Client },
): Promise<void> {
  const owner = (session ?? opened)?.user
  if (!owner) return
  const event = PATHS[path]
  if (event) await recordFactor(ctx, owner, event, client)
  // after the password alone, a person with a second factor is not signed in yet
  const complete = path !== '/sign-in/email' || opened?.user['twoFactorEnabled'] !== true
  if (opened && !session && complete)
    await recordSignIn(ctx, owner, path.startsWith('/passkey') ? 'passkey' : 'password', client)
}

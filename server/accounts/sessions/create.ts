import { hkdfSync } from 'node:crypto'
import { passkey } from '@better-auth/passkey'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Context } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { seconds } from '../../kit/db/clock.ts'
import { isPassing } from '../../kit/db/outage.ts'
import { enqueueEmails, type QueuedEmail } from '../../kit/queue/email.ts'
import { findOpenInvitation } from '../members/open.ts'
import { notingOutages } from './adapter.ts'
import { afterCall, keepHash, keptHash, noteVerified } from './call.ts'
import { checkCode } from './challenge.ts'
import { newRecoveryCodes } from './codes.ts'
import { knownEmail, resetEmail, verifyEmail } from './emails.ts'
import { endAccess, endSessions } from './end.ts'
import { clientOf, recordFactor, recordRequest } from './events.ts'
import { createHashing } from './hashing.ts'
import { SIGN_IN, SIGN_UP, takeEmail } from './limits.ts'
import { acceptPassword } from './newPassword.ts'
import { type Credentials, renewHash } from './renewHash.ts'
import { endResetLinks, STORED_IDENTIFIERS } from './resetLinks.ts'
import { ADDRESS_HEADER, FRESH_SECONDS, RESET_SECONDS, SESSION_SECONDS, secretVersion } from './settings.ts'
import { endFormerSession, rememberSignUp, signInVerified } from './signUpBrowser.ts'

const DAY = 86_400

/** How long the link of a sign-up works. */
const VERIFY_SECONDS = 3600

/**
 * better-auth's secrets, derived from the deployment's keys. The first signs cookies and encrypts second
 * factors; all decrypt, so that everyone can still sign in after a key rotation.
 */
const secretsOf = ({ keyring }: Context) =>
  [...keyring.byId.values()].map(({ id, key }) => ({
    version: secretVersion(id),
    value: Buffer.from(hkdfSync('sha256', key, '', 'tollgate better-auth 1', 32)).toString('base64url'),
  }))

const FIELD = { required: false, input: false } as const
/** How a session was opened (open.ts). */
const ORIGIN = {
  accountId: { type: 'string', ...FIELD },
  sid: { type: 'string', ...FIELD },
  mfa: { type: 'boolean', ...FIELD },
} as const

/** The origin of a person's session for the one that replaces it; none for a sign-in, whose request has no session. */
function originOf(current: { session: Record<string, unknown> } | null | undefined, userId: string): object {
  if (current?.session['userId'] !== userId) return {}
  return Object.fromEntries(Object.keys(ORIGIN).map((name) => [name, current.session[name]]))
}

/** The paths that check a code of the second factor. */
const CODE_KINDS: Readonly<Record<string, 'totp' | 'recovery'>> = {
  '/two-factor/verify-totp': 'totp',
  '/two-factor/verify-backup-code': 'recovery',
}

/** better-auth over our tables, with our rules and e-mails. */
export async function createAuth(ctx: Context) {
  const { publicUrl } = ctx.config
  const url = new URL(publicUrl)
  const secure = url.protocol === 'https:'

  /**
   * Composes and enqueues an e-mail after the call, because better-auth's transactions are its own; without waiting, so that the
   * response time does not reveal whether an address is known.
   */
  const post = async (compose: () => QueuedEmail | Promise<QueuedEmail>): Promise<void> =>
    afterCall(() => {
      void (async () => enqueueEmails(ctx, [await compose()]))().catch((err: unknown) =>
        ctx.log.error({ err }, 'an e-mail could not be enqueued'),
      )
    })

  /** When a link that is made now expires, in Unix seconds. */
  const expiry = (lifetime: number): number => seconds(ctx.clock.now()) + lifetime

  /** Leads to the invitation to the address, if there is one: most people who are invited have no account yet. */
  const firstEmail = async (user: { email: string }, token: string): Promise<QueuedEmail> => {
    const invitation = await findOpenInvitation(ctx, user.email)
    const email = verifyEmail(publicUrl, user, token, invitation && `/invite/${invitation.id}`)
    return { ...email, until: expiry(VERIFY_SECONDS) }
  }

  const hashing = createHashing(ctx)

  const options = {
    appName: 'Tollgate',
    baseURL: publicUrl,
    basePath: '/auth',
    secrets: secretsOf(ctx),
    trustedOrigins: [url.origin],
    database: notingOutages(prismaAdapter(ctx.prisma, { provider: 'postgresql', transaction: true })),
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      // its messages can contain addresses, so only the error is logged, as the log's serialiser allows
      log(_level, _message, ...details) {
        const err = details.find((detail) => detail instanceof Error)
        // an outage is logged where its call is answered
        if (!isPassing(err)) ctx.log.error({ err }, 'better-auth reported an error')
      },
    },
    onAPIError: {
      // errors that are not deliberate refusals are answered and logged like all others; an outage is not an internal error
      onError(error) {
        if (!isAPIError(error)) throw error
      },
    },
    emailAndPassword: {
      enabled: true,
      password: { ...hashing, hash: async (password) => keptHash(password) ?? hashing.hash(password) },
      requireEmailVerification: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      sendResetPassword: async ({ user, token }) => {
        await endResetLinks(ctx, user.id, token)
        await post(() => ({ ...resetEmail(publicUrl, user, token), until: expiry(RESET_SECONDS) }))
      },
      onExistingUserSignUp: ({ user }) => post(() => knownEmail(publicUrl, user)),
      // the link was sent to the mailbox, so the person who used it can read that mailbox
      onPasswordReset: async ({ user }, request) => {
        await endAccess(ctx, user.id, { factor: !user.emailVerified })
        await recordFactor(ctx, user, 'password.reset', clientOf(request?.headers))
        await ctx.prisma.user.update({ where: { id: user.id }, data: { emailVerified: true } })
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: false,
      expiresIn: VERIFY_SECONDS,
      async sendVerificationEmail({ user, token }, request) {
        const address = request?.headers.get(ADDRESS_HEADER) ?? ''
        const signsIn = request !== undefined && new URL(request.url).pathname.endsWith(SIGN_IN)
        if (!signsIn || (await takeEmail(ctx, { email: user.email, address })))
          await post(() => firstEmail(user, token))
      },
      // what was set up before may be another person's, who signed up with this address
      async afterEmailVerification({ id }) {
        await endAccess(ctx, id, { factor: true })
        noteVerified(id)
      },
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: DAY,
      freshAge: FRESH_SECONDS,
      additionalFields: ORIGIN,
    },
    verification: { storeIdentifier: STORED_IDENTIFIERS },
    // limits.ts instead: better-auth's limits are not per account and count on each node separately
    rateLimit: { enabled: false },
    advanced: {
      database: { generateId: () => newId() },
      // the prefix `__Host-` binds a cookie to this exact host; better-auth's own switch would write `__Secure-`
      useSecureCookies: false,
      cookiePrefix: secure ? '__Host-tollgate' : 'tollgate',
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    hooks: {
      // names, addresses and all other fields were checked on their way in (admin/authBodies.ts)
      before: createAuthMiddleware(async (endpoint) => {
        const { path, body } = endpoint
        const password = await acceptPassword(endpoint)
        // better-auth hashes it inside a transaction, and the hash waits for its turn: connections would wait with it
        if (path === SIGN_UP && password !== undefined) keepHash(password, await hashing.hash(password))
        // better-auth leaves it to the page whether other sessions survive a new password
        if (path === '/change-password') return { context: { body: { ...body, revokeOtherSessions: true } } }
        const kind = CODE_KINDS[path]
        const passed = kind ? await checkCode(ctx, endpoint, kind) : (Object(body) as object)
        // no browser may skip the second factor, and a new passkey is no sign-in; better-auth merges, so false, not absent
        if (kind || 'trustDevice' in passed || 'createSession' in passed)
          return { context: { body: { ...passed, trustDevice: false, createSession: false } } }
        return undefined
      }),
      after: createAuthMiddleware(async (endpoint) => {
        const { path, body, headers, context } = endpoint
        if (isAPIError(context.returned)) return
        if (path === SIGN_UP) await rememberSignUp(endpoint, VERIFY_SECONDS)
        if (path === '/verify-email') await signInVerified(endpoint)
        if (path === SIGN_IN) await renewHash(ctx, hashing, body as Credentials)
        if (path === '/change-password' && context.session) await endResetLinks(ctx, context.session.user.id)
        await recordRequest(ctx, path, {
          session: context.session,
          opened: context.newSession,
          client: clientOf(headers),
        })
      }),
    },
    databaseHooks: {
      user: {
        update: {
          // when a second factor is added or removed, better-auth renews only the calling session
          before: async (changed, endpoint) => {
            const current = endpoint?.context.session
            if (!('twoFactorEnabled' in changed) || !current) return
            await endSessions(ctx, current.user.id)
            if (changed.twoFactorEnabled === true)
              await recordFactor(ctx, current.user, 'two_factor.enable', clientOf(endpoint.headers))
          },
        },
      },
      session: {
        create: {
          // better-auth renews the session of a person who changes how they sign in: it stays that of the provider
          before: async (session, endpoint) => ({
            data: { ...session, ...originOf(endpoint?.context.session, session.userId), ipAddress: null },
          }),
          // signing in again, for example for a fresh session, replaces the old session
          after: async (session, endpoint) => {
            // without the request in better-auth's own hooks, where signInVerified does it
            if (endpoint && 'getSignedCookie' in endpoint) await endFormerSession(endpoint, session.token)
          },
        },
      },
    },
    plugins: [
      twoFactor({
        issuer: 'Tollgate',
        backupCodeOptions: { storeBackupCodes: 'encrypted', customBackupCodesGenerate: newRecoveryCodes },
        // people who sign in with the identity provider have none; proof.ts asks them for a recent sign-in
        allowPasswordless: true,
        // its lock counts after it checks, so that parallel requests pass it; challenge.ts counts first
        accountLockout: { enabled: false },
      }),
      passkey({
        rpID: url.hostname,
        rpName: 'Tollgate',
        origin: url.origin,
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        authentication: {
          // without user verification a passkey is one factor, and would bypass the account's second one
          afterVerification({ verification }) {
            if (!verification.authenticationInfo.userVerified)
              throw new APIError('UNAUTHORIZED', { code: 'PASSKEY_UNVERIFIED' })
          },
        },
      }),
    ],
  } satisfies BetterAuthOptions
  const auth = betterAuth(options)
  // else better-auth asks for the password that an account has: emailAndPassword.enabled closes its own paths only, and a plugin's
  // init, which may change the context, runs before this adapter is made
  if (!ctx.config.passwords) (await auth.$context).internalAdapter.findCredentialAccount = async () => null
  return auth
}

export type Auth = Awaited<ReturnType<typeof createAuth>>

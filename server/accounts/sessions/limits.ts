import { createHash } from 'node:crypto'
import type { Context } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'
import { ClientAddress, networkLimits } from '../../kit/http/client.ts'
import type { Limit, Rule } from '../../kit/limits/limiter.ts'
import { type Taken, takeAll } from '../../kit/limits/takeAll.ts'

/**
 * Limits of sign-in attempts in the whole deployment. Guessing must be slow for one account from anywhere, and for all
 * accounts from one network. But guessing at an account must not lock its owner out. Therefore:
 *
 * - only failed attempts count. Successful ones are uncounted, so that an office with one address can sign in freely;
 * - the limit per account and network is strict. The one per account is higher with a short window: once the guessing stops,
 *   the account is open again within a minute;
 * - while guessing continues from many networks, the person can sign in with a browser that signed in before (knownBrowser.ts),
 *   which has its own limit, or with a passkey, which cannot be guessed;
 * - every request that sends e-mail counts, and none that was refused: a person may choose a better password as often as it
 *   takes. An attacker who uses up a person's limit has sent that person the link.
 *
 * An unknown address counts like a known one. Better-auth also locks a second factor (create.ts), which only
 * someone with the password can cause.
 */
const EVERYTHING: Rule = { name: 'auth', points: 120, duration: 60 }
const TRIES_OF_NETWORK: Rule = { name: 'auth-network', points: 30, duration: 300 }
const TRIES_FROM_NETWORK: Rule = { name: 'auth-account-network', points: 10, duration: 300 }
const TRIES_AT_ACCOUNT: Rule = { name: 'auth-account', points: 30, duration: 60 }
const TRIES_OF_KNOWN: Rule = { name: 'auth-known', points: 10, duration: 300 }
const MAILS_OF_NETWORK: Rule = { name: 'auth-mail-network', points: 20, duration: 600 }
const MAILS_TO_ACCOUNT: Rule = { name: 'auth-mail', points: 5, duration: 600 }

/** The path that takes an e-mail address and a password. */
export const SIGN_IN = '/sign-in/email'

/** The path that creates an account. */
export const SIGN_UP = '/sign-up/email'

/** The path that starts adding a passkey, with the password and the code. */
export const PASSKEY_OPTIONS = '/passkey/generate-register-options'

/** The paths that change how a person signs in, which take the password and, where there is an authenticator, a code. */
export const PROVED: ReadonlySet<string> = new Set([
  PASSKEY_OPTIONS,
  '/passkey/delete-passkey',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
])

/** The paths that take a secret that can be guessed: a password, a code, a token. */
const GUESSABLE = new Set([
  ...PROVED,
  SIGN_IN,
  '/reset-password',
  '/change-password',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
  '/oidc/finish',
  '/oidc/link',
  '/oidc/unlink',
])

/** The paths that send e-mail. */
const MAILING = new Set([SIGN_UP, '/send-verification-email', '/request-password-reset'])

/** Whether the path checks a secret of the signed-in person. */
export const guessesOfSession = (path: string): boolean => path !== SIGN_IN && GUESSABLE.has(path)

export const isMailing = (path: string): boolean => MAILING.has(path)

export type Attempt = {
  /** The path in better-auth. */
  path: string
  /** The client's address. */
  address: string
  /** The e-mail address in the body, in lower case. */
  email: string | undefined
  /** The person of the session, for paths that check a secret of the signed-in person. */
  userId: string | undefined
  /** The browser has signed in with this e-mail address before. */
  known: boolean
}

/** Whether the request did what it was for, was refused, or met a fault of the service. */
export type Outcome = 'done' | 'refused' | 'failed'

/**
 * Counts the attempt; throws the refusal `rate-limited`, without counting, if a limit is reached.
 * Returns a function that uncounts it, once the outcome is known, where it does not count: guesses that were not wrong, and
 * mails that were not sent.
 */
export async function takeAttempt(
  ctx: Pick<Context, 'limiter'>,
  attempt: Attempt,
): Promise<(outcome: Outcome) => Promise<void>> {
  const taken: Taken[] = []
  // in order: a network that has reached its limit does not count towards an account's, not even briefly
  for (const limits of costsOf(attempt)) {
    const one = await takeAll(ctx, limits)
    if (one.retryAfter > 0) {
      for (const earlier of taken) await earlier.giveBack()
      throw new AppError('rate-limited', { retryAfter: one.retryAfter })
    }
    taken.push(one)
  }
  const [, ...refundable] = taken
  const counts: Outcome = MAILING.has(attempt.path) ? 'done' : 'refused'
  return async (outcome) => {
    if (outcome !== counts) for (const one of refundable) await one.giveBack()
  }
}

/**
 * Whether another link may be e-mailed to an address that signs in before it is confirmed; counts it. The sign-in itself
 * is not refused, so that its answer does not depend on what others asked for.
 */
export async function takeEmail(
  ctx: Pick<Context, 'limiter'>,
  { email, address }: { email: string; address: string },
): Promise<boolean> {
  for (const limits of [
    networkLimits(MAILS_OF_NETWORK, new ClientAddress(address)),
    [[MAILS_TO_ACCOUNT, hashOf(email)] as const],
  ])
    if ((await takeAll(ctx, limits)).retryAfter > 0) return false
  return true
}

// hashed, so that the limiter's store contains no addresses and no long keys
const hashOf = (account: string): string => createHash('sha256').update(account).digest('base64url')

/** The limits in the order in which they are counted: all requests, the network, the account. */
function costsOf({ path, address, email, userId, known }: Attempt): Limit[][] {
  // an address that better-auth ignores must not allow further attempts
  const account = path === SIGN_IN || MAILING.has(path) ? email : userId
  const hash = account === undefined ? undefined : hashOf(account)
  const client = new ClientAddress(address)
  const everything = networkLimits(EVERYTHING, client)
  const mails = [networkLimits(MAILS_OF_NETWORK, client), hash === undefined ? [] : [[MAILS_TO_ACCOUNT, hash] as const]]
  const tries = [
    networkLimits(TRIES_OF_NETWORK, client),
    hash === undefined ? [] : [...networkLimits(TRIES_FROM_NETWORK, client, hash), [TRIES_AT_ACCOUNT, hash] as const],
  ]
  if (MAILING.has(path)) return [everything, ...mails]
  if (!GUESSABLE.has(path)) return [everything]
  if (path === SIGN_IN && known && hash !== undefined) return [everything, [[TRIES_OF_KNOWN, hash]]]
  return [everything, ...tries]
}

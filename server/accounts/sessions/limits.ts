import { createHash } from 'node:crypto'
import type { Context } from '../../kit/context.ts'
import type { Rule } from '../../kit/limiter.ts'
import { networkOf } from '../../kit/network.ts'
import { Refusal } from '../../kit/refusal.ts'

/**
 * Limits of sign-in attempts in the whole deployment. Guessing must be slow for one account from anywhere, and for all
 * accounts from one network. But guessing at an account must not lock its owner out. Therefore:
 *
 * - only failed attempts count. Successful ones are given back, so that an office with one address can sign in freely;
 * - an account is strict per network. Over all networks it is wide and its window short: once the guessing stops, it is
 *   open again within a minute;
 * - while it goes on from many networks, the person gets in with a browser that signed in before (knownBrowser.ts),
 *   which has an allowance of its own, or with a passkey, which names no account to guess at;
 * - of mails every one counts. Who uses up somebody's mails has sent them the very links they wanted.
 *
 * An unknown address counts like a known one. A second factor is besides locked by better-auth (create.ts), which only
 * somebody with the password can bring about.
 */
const EVERYTHING: Rule = { name: 'auth', points: 120, duration: 60 }
const TRIES_OF_NETWORK: Rule = { name: 'auth-network', points: 30, duration: 300 }
const TRIES_FROM_NETWORK: Rule = { name: 'auth-account-network', points: 10, duration: 300 }
const TRIES_AT_ACCOUNT: Rule = { name: 'auth-account', points: 30, duration: 60 }
const TRIES_OF_KNOWN: Rule = { name: 'auth-known', points: 10, duration: 300 }
const MAILS_OF_NETWORK: Rule = { name: 'auth-mail-network', points: 20, duration: 600 }
const MAILS_TO_ACCOUNT: Rule = { name: 'auth-mail', points: 5, duration: 600 }

/** Where a password is given with an e-mail address. */
export const SIGN_IN = '/sign-in/email'

/** Where a secret is given that can be guessed: a password, a code, a token. */
const GUESSABLE = new Set([
  SIGN_IN,
  '/reset-password',
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
])

/** What sends a mail, and cannot go on without. */
const MAILING = new Set(['/sign-up/email', '/send-verification-email', '/request-password-reset'])

export const isMailing = (path: string): boolean => MAILING.has(path)

export type Attempt = {
  /** Of better-auth. */
  path: string
  /** The client's. */
  address: string
  /** Of the body, in lower case. */
  email: string | undefined
  /** The token of the session, as the cookie has it. */
  session: string | undefined
  /** The browser has signed in with this e-mail address before. */
  known: boolean
}

/**
 * Takes what the attempt costs; throws the refusal `rate-limited` where there is nothing left, and takes nothing then.
 * Returns how to give back what only wrong tries cost.
 */
export async function takeAttempt(
  { limiter }: Pick<Context, 'limiter'>,
  attempt: Attempt,
): Promise<() => Promise<void>> {
  const taken: [Rule, string][] = []
  const giveBack = async (ones: [Rule, string][]) => {
    await Promise.all(ones.map(([rule, key]) => limiter.giveBack(rule, key)))
  }
  for (const [rule, key] of costsOf(attempt)) {
    const retryAfter = await limiter.take(rule, key)
    if (retryAfter > 0) {
      await giveBack(taken)
      throw new Refusal('rate-limited', { retryAfter })
    }
    taken.push([rule, key])
  }
  return () => giveBack(GUESSABLE.has(attempt.path) ? taken.filter(([rule]) => rule !== EVERYTHING) : [])
}

function costsOf({ path, address, email, session, known }: Attempt): [Rule, string][] {
  const network = networkOf(address)
  // an address that better-auth does not look at must not buy new tries
  const account = path === SIGN_IN || MAILING.has(path) ? email : session
  // no address of a person in the limiter's store, and no key longer than this
  const hash = account === undefined ? undefined : createHash('sha256').update(account).digest('base64url')
  const costs: [Rule, string][] = [[EVERYTHING, network]]
  if (MAILING.has(path)) {
    costs.push([MAILS_OF_NETWORK, network])
    if (hash !== undefined) costs.push([MAILS_TO_ACCOUNT, hash])
  }
  if (!GUESSABLE.has(path)) return costs
  if (path === SIGN_IN && known && hash !== undefined) return [...costs, [TRIES_OF_KNOWN, hash]]
  costs.push([TRIES_OF_NETWORK, network])
  if (hash !== undefined) costs.push([TRIES_FROM_NETWORK, `${hash} ${network}`], [TRIES_AT_ACCOUNT, hash])
  return costs
}

import { Refused } from '../ui/page/failure.ts'

type Answer<Data> = {
  data: Data | null
  error: { status: number; code?: string | undefined; message?: string | undefined } | null
}

/** Messages for the error codes of the auth API. */
const WORDS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'Wrong e-mail address or password.',
  INVALID_PASSWORD: 'Wrong password.',
  EMAIL_NOT_VERIFIED: 'Confirm your e-mail address first. We have sent you the link again.',
  INVALID_TOKEN: 'This link has been used or has expired. Request a new one.',
  TOKEN_EXPIRED: 'This link has expired. Request a new one.',
  INVALID_CODE: 'That code is wrong or has expired. Codes change every 30 seconds.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in has expired. Sign in again.',
  INVALID_BACKUP_CODE: 'That recovery code is wrong or has been used.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many attempts. Sign in again.',
  PASSKEY_NOT_FOUND: 'This passkey is not registered.',
  AUTH_CANCELLED: 'No passkey was chosen.',
  REGISTRATION_CANCELLED: 'No passkey was created.',
  ERROR_CEREMONY_ABORTED: 'No passkey was created.',
  PASSWORD_TOO_SHORT: 'The password needs at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password may have at most 128 characters.',
  SESSION_NOT_FRESH: 'You signed in more than 10 minutes ago. Sign in again, then retry.',
}

const NO_ANSWER = 'Can’t reach Tollgate. Check your connection, then try again.'

/** The data of a response. Throws `Refused` with a message for the person. */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error } = await call.catch(() => {
    throw new Refused(NO_ANSWER)
  })
  if (!error && data !== null) return data
  const { status = 0, code = '', message } = error ?? {}
  if (status === 429) throw new Refused('Too many attempts. Wait a few minutes, then try again.')
  if (status === 503) throw new Refused('The service is unavailable. Try again in a moment.')
  throw new Refused(WORDS[code] ?? message ?? NO_ANSWER)
}

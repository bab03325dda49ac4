import { Refused } from '../ui/failure.ts'

type Answer<Data> = {
  data: Data | null
  error: { status: number; code?: string | undefined; message?: string | undefined } | null
}

/** What the service refuses here, by its code, in words that say what to do. */
const WORDS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'E-mail address or password is wrong.',
  INVALID_PASSWORD: 'The password is wrong.',
  EMAIL_NOT_VERIFIED: 'Confirm your e-mail address first: we have just sent you the link again.',
  INVALID_TOKEN: 'This link was used already or is too old. Ask for a new one.',
  TOKEN_EXPIRED: 'This link is too old. Ask for a new one.',
  INVALID_CODE: 'The code is wrong or no longer holds. Codes change every 30 s.',
  INVALID_TWO_FACTOR_COOKIE: 'Too much time has passed. Sign in again from the start.',
  INVALID_BACKUP_CODE: 'The recovery code is wrong or was used already.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many tries. Sign in again from the start.',
  PASSKEY_NOT_FOUND: 'This passkey is not known here.',
  AUTH_CANCELLED: 'No passkey was chosen.',
  REGISTRATION_CANCELLED: 'No passkey was made.',
  ERROR_CEREMONY_ABORTED: 'No passkey was made.',
  PASSWORD_TOO_SHORT: 'The password needs at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password may have at most 128 characters.',
  SESSION_NOT_FRESH: 'Your last sign-in is more than 10 minutes ago. Sign in again, then repeat this.',
}

const NO_ANSWER = 'The service does not answer. Check your connection, then try again.'

/** The data of an answer; throws `Refused`, in words for the person. */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error } = await call.catch(() => {
    throw new Refused(NO_ANSWER)
  })
  if (!error && data !== null) return data
  const { status = 0, code = '', message } = error ?? {}
  if (status === 429) throw new Refused('Too many tries. Wait a few minutes, then try again.')
  if (status === 503) throw new Refused('The service cannot do this now. Try again in a moment.')
  throw new Refused(WORDS[code] ?? message ?? NO_ANSWER)
}

import { isReason, sentenceOf } from '../contract/reasons.ts'

/** What a person reads for the codes of /auth, better-auth's and ours. The library's own sentences are for developers. */
const SENTENCES: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Your session has ended. Sign in again.',
  INVALID_EMAIL_OR_PASSWORD: 'Wrong e-mail address or password.',
  INVALID_PASSWORD: 'Wrong password.',
  PASSWORD_REQUIRED: 'Enter your password.',
  PASSWORD_TOO_SHORT: 'The password needs at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password may have at most 128 characters.',
  EMAIL_NOT_VERIFIED: 'Confirm your e-mail address first. We have sent you the link again.',
  INVITATION_REQUIRED:
    'Accounts of this deployment come by invitation. Open the link of your invitation, or ask an owner or admin for one.',
  PASSWORDS_OFF: 'This deployment has no passwords. Sign in with the identity provider or a passkey.',
  INVALID_TOKEN: 'This link has been used or has expired. Request a new one.',
  TOKEN_EXPIRED: 'This link has expired. Request a new one.',
  CODE_REQUIRED: 'Enter the code of your authenticator app.',
  INVALID_CODE: 'That code is wrong, has expired or was used before. Codes change every 30 seconds.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in has expired. Sign in again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many attempts. Sign in again.',
  INVALID_BACKUP_CODE: 'That recovery code is wrong or has been used.',
  PASSKEY_NOT_FOUND: 'This passkey is not registered.',
  PASSKEY_UNVERIFIED: 'The passkey did not ask for a fingerprint, a face or a PIN. Set up a PIN for it first.',
  SESSION_NOT_FRESH: sentenceOf('reauth-required', {}),
}

const UNKNOWN = 'This did not work. Reload the page, then try again.'

function sentenceFor(code: string): string {
  if (Object.hasOwn(SENTENCES, code)) return String(SENTENCES[code])
  const reason = code.toLowerCase().replaceAll('_', '-')
  return isReason(reason) ? sentenceOf(reason, {}) : UNKNOWN
}

/** A refusal with our sentence in `message`, also if its code is not known here, such as one of a newer better-auth. */
export const forPerson = (refusal: { code?: unknown }): object =>
  typeof refusal.code === 'string' ? { ...refusal, message: sentenceFor(refusal.code) } : refusal

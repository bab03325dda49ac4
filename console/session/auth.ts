import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { createAuthClient } from 'better-auth/client'
import { twoFactorClient } from 'better-auth/client/plugins'
import * as z from 'zod/mini'
import { BUSY, Refused } from '../ui/page/errorMessage.ts'
import { reauthenticateEnded } from './reauthenticate.ts'

/** Hashing a password takes a while, and others may wait for theirs. */
const TIMEOUT_MS = 20_000

/** As tRPC's calls do: one whose session has ended waits until the person has signed in again, and is repeated once. */
const fetchInSession: typeof fetch = async (input, init) => {
  const send = () => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  const reply = await send()
  if (reply.status === 429)
    return Response.json({ message: tooMany(Number(reply.headers.get('retry-after'))) }, { status: 429 })
  if (reply.status !== 401) return reply
  // a proxy's answer may be a page
  const { code } = (await reply
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string }
  return code === 'UNAUTHORIZED' && (await reauthenticateEnded()) ? send() : reply
}

function tooMany(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return `Too many attempts. Try again in ${minutes > 1 ? `${minutes} minutes` : 'a minute'}.`
}

const OPTIONS = {
  baseURL: location.origin,
  basePath: '/auth',
  fetchOptions: { customFetchImpl: fetchInSession },
}

/**
 * Signs up, in and out with better-auth's client. Loaded only by the pages that need it. Who is signed in comes
 * from tRPC (me.ts), not from this client.
 */
export const auth = createAuthClient({ ...OPTIONS, plugins: [twoFactorClient()] })

type AuthResponse<Data> = {
  data: Data | null
  error: { status: number; code?: string | undefined; message?: string | undefined; field?: string | undefined } | null
}

/** Messages for the fields that the auth API refuses. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'A name has at most 120 characters, all of them visible.',
  email: 'Enter an e-mail address, such as ada@example.com.',
  password: 'The password may have at most 128 characters.',
  currentPassword: 'The password may have at most 128 characters.',
  newPassword: 'The password may have at most 128 characters.',
  token: 'This link is incomplete. Request a new one.',
}

const NOT_VALID = 'A value is missing or not valid. Check what you entered, then try again.'

const NO_RESPONSE = 'Can’t reach Tollgate. Check your connection, then try again.'

/** The session is too old for this: the person has to sign in again. */
export class StaleSession extends Refused {}

/** The data of a response of the auth API. Throws `Refused` with a message for the person. */
export async function unwrap<Data>(call: Promise<AuthResponse<Data>>): Promise<Data> {
  const { data, error } = await call.catch((thrown: unknown) => {
    throw new Refused(Object(thrown).name === 'TimeoutError' ? `${BUSY.title}. ${BUSY.advice}` : NO_RESPONSE)
  })
  if (!error && data !== null) return data
  const { status = 0, code = '', message, field } = error ?? {}
  if (status === 503) throw new Refused(`${BUSY.title}. ${BUSY.advice}`)
  if (field !== undefined) throw new Refused(message ?? FIELDS[field] ?? NOT_VALID, field)
  // the passkeys' client makes these itself
  if (/^(AUTH_CANCELLED$|ERROR_)/.test(code)) throw new Refused('No passkey was chosen.')
  const text = message ?? NO_RESPONSE
  throw code === 'SESSION_NOT_FRESH' ? new StaleSession(text) : new Refused(text)
}

/** The client for passkeys, loaded on first use. */
async function passkeyAuth() {
  const { passkeyClient } = await import('@better-auth/passkey/client')
  return createAuthClient({ ...OPTIONS, plugins: [passkeyClient()] })
}

/** Signs in with a passkey that the person chooses. Throws `Refused`. */
export async function signInByPasskey(): Promise<void> {
  await unwrap((await passkeyAuth()).signIn.passkey())
}

/** Finishes a sign-in with the identity provider: with a code, or in a session of the account to link. Throws `Refused`. */
export const finishSignIn = (code?: string): Promise<{ next: string }> =>
  unwrap(auth.$fetch<{ next: string }>('/oidc/finish', { method: 'POST', body: { ...(code && { code }) } }))

/** Signs in with the token of a link, where there are no passwords. Throws `Refused`. */
export const signInByLink = (token: string, code: string): Promise<unknown> =>
  unwrap(auth.$fetch('/oidc/link', { method: 'POST', body: { token, ...(code && { code }) } }))

/** Removes an identity of the signed-in person. Throws `Refused`. */
export const unlinkIdentity = (id: string, proof: Proof): Promise<unknown> =>
  unwrap(auth.$fetch('/oidc/unlink', { method: 'POST', body: { id, ...proof } }))

/** What a change of how the person signs in requires: the password of an account that has one; `code`: of the authenticator app or a recovery code, if there is an app. */
export type Proof = { password?: string; code?: string }

/** Starts turning two-factor authentication on. Throws `Refused`. */
export const startTwoFactor = ({ password }: Proof) =>
  unwrap(auth.twoFactor.enable(password === undefined ? {} : { password }))

/** New recovery codes. better-auth's client sends no code, so this and `turnOffTwoFactor` make the requests. Throws `Refused`. */
export const newRecoveryCodes = (proof: Proof): Promise<{ backupCodes: string[] }> =>
  unwrap(auth.$fetch<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { method: 'POST', body: proof }))

/** Turns two-factor authentication off. Throws `Refused`. */
export const turnOffTwoFactor = (proof: Proof): Promise<unknown> =>
  unwrap(auth.$fetch('/two-factor/disable', { method: 'POST', body: proof }))

/**
 * Creates a passkey for the signed-in person. better-auth's client cannot send the proof, so this makes its two requests.
 * Throws `Refused`.
 */
export async function addPasskey(name: string, proof: Proof): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await unwrap(
    auth.$fetch<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options', {
      method: 'POST',
      body: proof,
    }),
  )
  const response = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    const registered = error instanceof Error && error.name === 'InvalidStateError'
    throw new Refused(registered ? 'This device already has a passkey for your account.' : 'No passkey was created.')
  })
  await unwrap(auth.$fetch('/passkey/verify-registration', { method: 'POST', body: { response, name } }))
}

/** Removes a passkey of the signed-in person. Throws `Refused`. */
export const removePasskey = (id: string, proof: Proof): Promise<unknown> =>
  unwrap(auth.$fetch('/passkey/delete-passkey', { method: 'POST', body: { id, ...proof } }))

export const PASSWORD_HINT = 'At least 10 characters. A few random words make a strong password.'

/** The rules for a new password. */
export const password = z
  .string()
  .check(
    z.minLength(10, 'The password needs at least 10 characters.'),
    z.maxLength(128, 'The password may have at most 128 characters.'),
  )

/** A part of an e-mailed link; null if there is none. It is in the fragment, which browsers do not send. */
export const partOfLink = (name: string) => new URLSearchParams(location.hash.slice(1)).get(name)

/** The token of an e-mailed link; null if there is none. */
export const tokenInLink = (): string | null => partOfLink('token')

/** Where the link leads after signing in. */
export const nextInLink = (): string | undefined => partOfLink('next') ?? undefined

/** The address that the link confirms; empty if it names none. */
export const emailInLink = (): string => partOfLink('email') ?? ''

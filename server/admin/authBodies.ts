import { z } from 'zod'
import { EMAIL, isName, isStorable } from '../contract/names.ts'

const text = (most: number) => z.string().max(most).refine(isStorable)
const name = z.string().trim().normalize().refine(isName)
const email = z
  .string()
  .regex(EMAIL)
  .transform((address) => address.toLowerCase())
/** better-auth checks the length of a new one, and says so to the person. */
const password = text(256)
const code = text(64)
const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/)

const nothing = z.strictObject({})
/** `password`: of an account that has one. `code`: of the authenticator or a recovery code, if there is an authenticator. better-auth does not get it. */
const proved = z.strictObject({ password: password.optional(), code: code.optional() })

/** What both ceremonies of WebAuthn answer, as JSON (https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON). */
const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  // browsers report extensions that we did not ask for; better-auth gets none of it
  clientExtensionResults: z
    .record(z.string(), z.unknown())
    .transform(() => ({}))
    .optional(),
}

const registration = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(32_768),
    authenticatorData: base64url(8192).optional(),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .optional(),
    publicKeyAlgorithm: z.int().min(-65_536).max(65_536).optional(),
    publicKey: base64url(4096).optional(),
  }),
})

const assertion = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(8192),
    signature: base64url(4096),
    userHandle: base64url(128).optional(),
  }),
})

/**
 * The paths of better-auth that are open below /auth, with all that a request may contain: the fields that the console
 * sends. better-auth takes more (a device to trust, a session to create, an image, a page to go to), types some fields as
 * anything, and passes objects on to the database as operators. A path or field that is not here does not exist. Sessions
 * are read and ended over tRPC, and their tokens are left out of all answers (auth.ts).
 */
export const OPEN = {
  'GET /verify-email': z.strictObject({ token: text(2048) }),
  'GET /passkey/generate-authenticate-options': nothing,
  'GET /passkey/list-user-passkeys': nothing,
  // `invitation`: its id, where only invited people may sign up. better-auth does not get it.
  'POST /sign-up/email': z.strictObject({ name, email, password, invitation: z.uuid().optional() }),
  'POST /sign-in/email': z.strictObject({ email, password }),
  'POST /sign-out': nothing,
  'POST /send-verification-email': z.strictObject({ email }),
  'POST /request-password-reset': z.strictObject({ email }),
  'POST /reset-password': z.strictObject({ newPassword: password, token: text(512) }),
  'POST /change-password': z.strictObject({
    currentPassword: password,
    newPassword: password,
    revokeOtherSessions: z.literal(true).optional(),
  }),
  'POST /update-user': z.strictObject({ name }),
  'POST /two-factor/enable': proved,
  'POST /two-factor/disable': proved,
  'POST /two-factor/generate-backup-codes': proved,
  'POST /two-factor/verify-totp': z.strictObject({ code }),
  'POST /two-factor/verify-backup-code': z.strictObject({ code }),
  'POST /passkey/generate-register-options': proved,
  'POST /passkey/verify-registration': z.strictObject({ response: registration, name: name.optional() }),
  'POST /passkey/verify-authentication': z.strictObject({ response: assertion }),
  'POST /passkey/update-passkey': z.strictObject({ id: z.uuid(), name }),
  'POST /passkey/delete-passkey': proved.extend({ id: z.uuid() }),
} as const satisfies Record<`${'GET' | 'POST'} /${string}`, z.ZodObject>

export type OpenPath = keyof typeof OPEN

type Fields = Record<string, unknown>

/** The fields as the schema returns them, or the name of the first that is unknown or not valid; empty for the whole. */
export function checkFields(path: OpenPath, input: unknown): { fields: Fields } | { wrong: string } {
  const { success, data, error } = OPEN[path].safeParse(input)
  if (success) return { fields: data }
  const [issue] = error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  return { wrong: [...(issue?.path ?? []), ...unknown].join('.').slice(0, 64) }
}

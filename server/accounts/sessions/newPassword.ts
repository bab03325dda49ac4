import { APIError, type createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { SIGN_UP } from './limits.ts'
import { weaknessOf } from './passwords.ts'
import { resetIdentifier } from './resetLinks.ts'

type Endpoint = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** The address of the person who gets the new password; undefined if better-auth will refuse the request. */
async function emailOfOwner(endpoint: Endpoint, body: Record<string, unknown>): Promise<string | undefined> {
  if (endpoint.path === SIGN_UP) return String(body['email'])
  if (endpoint.path === '/change-password') return (await getSessionFromCtx(endpoint))?.user.email
  const { internalAdapter } = endpoint.context
  const link = await internalAdapter.findVerificationValue(resetIdentifier(String(body['token'])))
  return link ? (await internalAdapter.findUserById(link.value))?.email : undefined
}

/** The field with the new password, by path. */
const FIELDS: Readonly<Record<string, string>> = {
  [SIGN_UP]: 'password',
  '/change-password': 'newPassword',
  '/reset-password': 'newPassword',
}

/**
 * The new password of a request; undefined if it has none, or one of a length that better-auth refuses. Throws the refusal of
 * one that is easy to guess.
 */
export async function acceptPassword(endpoint: Endpoint): Promise<string | undefined> {
  const field = FIELDS[endpoint.path]
  const body = Object(endpoint.body) as Record<string, unknown>
  const password = field === undefined ? undefined : body[field]
  if (typeof password !== 'string') return undefined
  const { minPasswordLength, maxPasswordLength } = endpoint.context.password.config
  if (password.length < minPasswordLength || password.length > maxPasswordLength) return undefined
  const email = await emailOfOwner(endpoint, body)
  const weakness = email === undefined ? undefined : await weaknessOf(password, email)
  if (weakness !== undefined)
    throw new APIError('BAD_REQUEST', { code: weakness.toUpperCase().replace('-', '_'), field })
  return password
}

import { APIError, type createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { sentenceOf } from '../../contract/reasons.ts'
import { weaknessOf } from './passwords.ts'
import { resetIdentifier } from './resetLinks.ts'

type Endpoint = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** The address of the person who gets the new password; undefined if better-auth will refuse the request. */
async function emailOfOwner(endpoint: Endpoint, body: Record<string, unknown>): Promise<string | undefined> {
  if (endpoint.path === '/sign-up/email') return String(body['email'])
  if (endpoint.path === '/change-password') return (await getSessionFromCtx(endpoint))?.user.email
  const { internalAdapter } = endpoint.context
  const link = await internalAdapter.findVerificationValue(resetIdentifier(String(body['token'])))
  return link ? (await internalAdapter.findUserById(link.value))?.email : undefined
}

/** The field with the new password, by path. */
const FIELDS: Readonly<Record<string, string>> = {
  '/sign-up/email': 'password',
  '/change-password': 'newPassword',
  '/reset-password': 'newPassword',
}

/** Throws the refusal of a new password that is easy to guess. better-auth judges its length. */
export async function refuseWeakPassword(endpoint: Endpoint): Promise<void> {
  const field = FIELDS[endpoint.path]
  const body = Object(endpoint.body) as Record<string, unknown>
  const password = field === undefined ? undefined : body[field]
  if (typeof password !== 'string') return
  const { minPasswordLength, maxPasswordLength } = endpoint.context.password.config
  if (password.length < minPasswordLength || password.length > maxPasswordLength) return
  const email = await emailOfOwner(endpoint, body)
  const weakness = email === undefined ? undefined : await weaknessOf(password, email)
  if (weakness !== undefined)
    throw new APIError('BAD_REQUEST', {
      code: weakness.toUpperCase().replace('-', '_'),
      message: sentenceOf(weakness, {}),
    })
}

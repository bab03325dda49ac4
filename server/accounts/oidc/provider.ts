import { createHash } from 'node:crypto'
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Oidc } from '../../kit/config/oidc.ts'
import type { Context, Resource } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'

/** How long the provider's description of itself is used before it is read again, in milliseconds. */
const DISCOVERY_MS = 600_000
const TIMEOUT_MS = 5000
/** Seconds by which the clocks of the provider and the database may differ. */
const CLOCK_TOLERANCE = 60
/** Only signatures that the provider alone can make. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const METADATA = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})

type Provider = { metadata: z.infer<typeof METADATA>; keys: JWTVerifyGetKey; readAt: number }

export type OidcContext = Context & { config: { oidc: Oidc } }

/** What this process knows of the provider. */
const KNOWN: Resource<{ provider?: Provider }> = { name: 'identity provider', make: () => ({}) }

/** A sign-in that was started: what its answer has to match. */
export type Started = { nonce: string; verifier: string }

const redirectUri = ({ publicUrl }: { publicUrl: string }): string => `${publicUrl}/auth/oidc/callback`

/** The JSON of a response of the provider. Throws if it does not answer in 5 seconds, or with an error. */
async function json(url: string, init: RequestInit = {}): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const reply = await fetch(url, { ...init, signal, redirect: 'error' })
  const body: unknown = await reply.json()
  if (reply.ok) return body
  // "invalid_grant" is the code's fault; everything else is the provider's or the settings'
  const { error } = Object(body) as { error?: unknown }
  throw error === 'invalid_grant'
    ? new AppError('provider-response-invalid')
    : new Error(`the provider answered ${reply.status}`)
}

/** Runs a request to the provider. Throws the refusal `provider-unavailable` if it fails. */
async function asking<Out>({ log }: Context, request: () => Promise<Out>): Promise<Out> {
  try {
    return await request()
  } catch (err) {
    if (err instanceof AppError) throw err
    log.warn({ err }, 'the identity provider does not respond as expected')
    throw new AppError('provider-unavailable')
  }
}

/** Reads the provider's description, at first use and every ten minutes. If it is down, the former description is used. */
async function discover(ctx: OidcContext): Promise<Provider> {
  const known = ctx.resources.of(KNOWN)
  const { issuer } = ctx.config.oidc
  if (known.provider && Date.now() - known.provider.readAt < DISCOVERY_MS) return known.provider
  try {
    known.provider = await asking(ctx, async () => {
      const metadata = METADATA.parse(await json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`))
      if (metadata.issuer !== issuer) throw new Error('the issuer of the provider is not OIDC_ISSUER')
      // a key that is not known yet is looked for at once: keys rotate
      const options = { timeoutDuration: TIMEOUT_MS, cooldownDuration: 1000 }
      const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), options)
      return { metadata, keys, readAt: Date.now() }
    })
  } catch (error) {
    if (!known.provider) throw error
  }
  return known.provider
}

/** The address at the provider where the person signs in. Throws AppError. */
export async function authorizationUrl(
  ctx: OidcContext,
  { state, nonce, verifier }: Started & { state: string },
): Promise<string> {
  const { metadata } = await discover(ctx)
  const url = new URL(metadata.authorization_endpoint)
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: ctx.config.oidc.clientId,
    redirect_uri: redirectUri(ctx.config),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }))
    url.searchParams.set(name, value)
  return url.href
}

/**
 * The claims of a token that the provider signed for this client. `types`: those that the token may have, in lower case and without
 * `application/`. A token without a type is accepted. Throws AppError.
 */
export async function verifyToken(
  ctx: OidcContext,
  token: string,
  { requiredClaims, types }: { requiredClaims: string[]; types?: readonly string[] },
): Promise<JWTPayload> {
  const { keys } = await discover(ctx)
  const { issuer, clientId } = ctx.config.oidc
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', ...requiredClaims],
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: new Date(ctx.clock.now()),
    })
    if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload['azp'] !== clientId)
      throw new AppError('provider-response-invalid')
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '')
    if (types && type !== undefined && !types.includes(type)) throw new AppError('provider-response-invalid')
    return payload
  } catch (err) {
    if (err instanceof AppError) throw err
    ctx.log.warn({ err }, 'a token of the identity provider is not valid')
    const unknown = err instanceof errors.JOSEError && !(err instanceof errors.JWKSTimeout)
    throw new AppError(unknown ? 'provider-response-invalid' : 'provider-unavailable')
  }
}

/** What the provider says about the person who signed in. Throws AppError. */
export async function redeemCode(
  ctx: OidcContext,
  { nonce, verifier }: Started,
  { code, iss }: { code: string; iss: string | undefined },
): Promise<JWTPayload & { sub: string }> {
  const { metadata } = await discover(ctx)
  const { issuer, clientId, clientSecret } = ctx.config.oidc
  // RFC 9207: an answer of another provider, whose code must not be sent to this one
  if (iss === undefined ? metadata.authorization_response_iss_parameter_supported : iss !== issuer)
    throw new AppError('provider-response-invalid')
  const basic = metadata.token_endpoint_auth_methods_supported.includes('client_secret_basic')
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri(ctx.config),
    ...(!basic && { client_id: clientId, client_secret: clientSecret }),
  })
  const headers: Record<string, string> = basic
    ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    : {}
  const tokens = await asking(ctx, async () =>
    z
      .object({ id_token: z.string(), access_token: z.string() })
      .parse(await json(metadata.token_endpoint, { method: 'POST', body, headers })),
  )
  const claims = await verifyToken(ctx, tokens.id_token, { requiredClaims: ['sub', 'exp', 'nonce'] })
  const { sub } = claims
  if (sub === undefined || claims['nonce'] !== nonce) throw new AppError('provider-response-invalid')
  if (metadata.userinfo_endpoint === undefined) return { ...claims, sub }
  const url = metadata.userinfo_endpoint
  const more = await asking(ctx, () => json(url, { headers: { authorization: `Bearer ${tokens.access_token}` } }))
  // a response about another person, against which OpenID Connect Core 5.3.2 has this check
  if (Object(more).sub !== sub) throw new AppError('provider-response-invalid')
  return { ...Object(more), ...claims, sub }
}

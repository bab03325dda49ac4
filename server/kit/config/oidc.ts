import type { Environment } from './environment.ts'
import type { StaffClaim } from './settingKinds.ts'

/** How people sign in with the identity provider of the deployment, by OpenID Connect. */
export type Oidc = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string
  /** The provider's name on the button. */
  label: string
  /** The e-mail domains that may create accounts, in lower case; undefined for all. */
  domains: readonly string[] | undefined
  /** Which claims make a person staff, and at which level; undefined if the provider does not decide this. */
  staffClaims: readonly StaffClaim[] | undefined
  /** Whether `mfa` in the claim `amr` counts as a second factor. */
  trustAmr: boolean
}>

/** Undefined if no provider is set. The rules across settings (production.ts) are checked before. */
export const oidcOf = (e: Environment): Oidc | undefined =>
  e.OIDC_ISSUER === undefined || e.OIDC_CLIENT_ID === undefined || e.OIDC_CLIENT_SECRET === undefined
    ? undefined
    : {
        issuer: e.OIDC_ISSUER,
        clientId: e.OIDC_CLIENT_ID,
        clientSecret: e.OIDC_CLIENT_SECRET,
        label: e.OIDC_LABEL ?? 'single sign-on',
        domains: e.OIDC_DOMAINS,
        staffClaims: e.OIDC_STAFF_CLAIM,
        trustAmr: e.OIDC_TRUST_AMR === 'on',
      }

/** Why a sign-in with the identity provider does not succeed, with the sentence for the person. */
export const SIGN_IN_REFUSALS = {
  'provider-unavailable': 'The identity provider does not respond. Try again in a minute, or sign in another way.',
  'provider-refused': 'The identity provider did not sign you in. Try again, or ask its administrator for access.',
  'provider-response-invalid':
    'The response of the identity provider is not valid, so you were not signed in. Try again.',
  'sign-in-expired': 'This sign-in has expired, was used before, or began in another browser. Start again.',
  'email-unverified':
    'The identity provider does not confirm your e-mail address. Ask its administrator to verify the address.',
  'domain-refused': 'Your e-mail address is not at a domain that may have accounts here. Use your work account.',
  'invitation-required':
    'Accounts of this deployment come by invitation. Ask an owner or admin for one, for the address of your work account.',
  'link-unproved': 'Sign in to the existing account first, with its password or a passkey.',
  'last-way-in': 'This is your only way to sign in. Create a passkey first.',
} as const satisfies Record<string, `${string} ${string}.`>

export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS

/** What the page after the identity provider still asks for. */
export type SignInStep = 'code' | 'link'

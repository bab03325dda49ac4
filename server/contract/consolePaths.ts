/**
 * The console's pages, as its router writes their paths. The server answers these with the console, and all others with its
 * page for what is not found. Tenants and staff have more pages below theirs.
 */
export const CONSOLE_PATHS = {
  start: '/',
  try: '/try',
  signIn: '/sign-in',
  signUp: '/sign-up',
  twoFactor: '/two-factor',
  singleSignOn: '/sso',
  verifyEmail: '/verify-email',
  forgot: '/forgot',
  reset: '/reset',
  invitation: '/invite/$id',
  reference: '/r/$reference',
  sharedIncident: '/i/$token',
  onboarding: '/welcome',
  account: '/account',
  tenant: '/o/$tenant',
  staff: '/staff',
} as const

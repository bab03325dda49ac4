import { createAuthClient } from 'better-auth/client'
import { twoFactorClient } from 'better-auth/client/plugins'

/**
 * Signing up, in and out, over better-auth's own client. Loaded with the pages that need it only. Who is signed in is
 * asked over tRPC (me.ts): of sessions this client is never told.
 */
export const auth = createAuthClient({
  baseURL: location.origin,
  basePath: '/auth',
  plugins: [twoFactorClient()],
})

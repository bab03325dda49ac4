import { createAuthClient } from 'better-auth/client'
import { twoFactorClient } from 'better-auth/client/plugins'

/**
 * Signs up, in and out with better-auth's client. Loaded only by the pages that need it. Who is signed in comes
 * from tRPC (me.ts), not from this client.
 */
export const auth = createAuthClient({
  baseURL: location.origin,
  basePath: '/auth',
  plugins: [twoFactorClient()],
})

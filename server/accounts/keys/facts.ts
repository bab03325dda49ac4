import type { Role } from '../../contract/permissions.ts'
import type { Scope } from '../../contract/scopes.ts'

/** An active key, its tenant, and its creator as they are now. */
export type KeyFacts = {
  id: string
  name: string
  scopes: readonly Scope[]
  /** Undefined: all sites of the tenant. */
  sites: readonly string[] | undefined
  /** Unix seconds; null: never. */
  expiresAt: number | null
  tenant: { id: string; slug: string; name: string; require2fa: boolean }
  /** Null if they left the tenant, or may not enter it because it requires a second factor. */
  role: Role | null
  creator: { id: string; email: string; name: string; twoFactorEnabled: boolean }
}

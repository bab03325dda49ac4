import type { OperatorCtx } from '../../server/accounts/access.ts'

/** The operator's context inside the transaction. */
export type SeedContext = Omit<OperatorCtx, 'prisma'> & {
  prisma: Parameters<Parameters<OperatorCtx['prisma']['$transaction']>[0]>[0]
}

/** The tenants, sites and people of the demo data. */
export type Cast = {
  demo: { id: string }
  second: { id: string }
  /** The demo shop's site. */
  shop: { id: string; tenantId: string }
  /** The second tenant's site. */
  boxOffice: { id: string; tenantId: string }
  owner: { id: string }
  admin: { id: string }
  developer: { id: string }
  lead: { id: string }
}

export type Site = { id: string; tenantId: string }
export type Sites = Record<'shop' | 'storefront' | 'portal' | 'boxOffice' | 'fanClub', Site>

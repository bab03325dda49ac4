import type { KeyFacts } from '../accounts/keys/facts.ts'
import { intentOfDecision, isUuid } from '../contract/ids.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import type { Operation } from './operations.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * Holds a key for some sites to them: the site of the input, or of what its `id` names, must be one; what concerns the whole
 * tenant needs a key for all sites. Another site answers as one that does not exist. What is called without a site returns rows of
 * `tenant.sites` alone (ledger/tenantSites.ts). Throws AppError.
 */
export async function refuseOtherSites(
  { prisma }: Pick<Context, 'prisma'>,
  { sites, tenant }: KeyFacts,
  { object, concerns }: Operation,
  input: Input,
): Promise<void> {
  if (sites === undefined) return
  if (concerns === 'tenant') throw new AppError('all-sites-required')
  const holds = (site: unknown) => typeof site === 'string' && sites.includes(site.toLowerCase())
  if (object !== undefined && object !== 'sites') {
    const id = text(input[object] ?? input['id'])
    const uuid = intentOfDecision(id) ?? id
    // what is no id names nothing: the procedure says so
    if (!isUuid(uuid)) return
    const query = { where: { id: uuid, tenantId: tenant.id }, select: { siteId: true } }
    const row = await {
      // intents are deleted long before their decisions, and one that was not redeemed has no decision
      decision: async () => (await prisma.decision.findFirst(query)) ?? prisma.intent.findFirst(query),
      incident: () => prisma.incident.findFirst(query),
      grant: () => prisma.grant.findFirst(query),
    }[object]()
    if (!holds(row?.siteId)) throw new AppError(`${object}-not-found`)
  } else if (input['site'] !== undefined && !holds(input['site'])) throw new AppError('site-not-found', {})
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

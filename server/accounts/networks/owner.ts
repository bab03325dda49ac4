import type { Prisma } from '../../../prisma/client/client.ts'
import { hasAtMost, hidesCharacters } from '../../contract/names.ts'
import { DEPLOYMENT_NETWORKS_MAX, NETWORK_NOTE_MAX, SITE_NETWORKS_MAX, WIDEST } from '../../contract/networks.ts'
import { AppError } from '../../kit/error.ts'
import { type Cidr, cidrText, parseCidr } from '../../kit/http/address.ts'

/** Whose list it is: a site's, or that of the deployment. */
export type ListOwner = { site: { id: string; tenantId: string } } | { site: null }

/** The owner in the columns of a row and in every statement's `where`. */
export const byOwner = ({ site }: ListOwner) => ({ tenantId: site?.tenantId ?? null, siteId: site?.id ?? null })

/** The owner in an audit event. */
export const inAudit = ({ site }: ListOwner) => ({ tenantId: site?.tenantId ?? null, target: site?.id ?? 'deployment' })

/** Changes of a list run one at a time until the transaction ends, so that its bound holds. */
export async function lockList(prisma: Prisma.TransactionClient, { site }: ListOwner): Promise<void> {
  if (site) await prisma.$queryRaw`select 1 from site where id = ${site.id}::uuid for no key update`
  else await prisma.$executeRaw`select pg_advisory_xact_lock(hashtext('network_rule'))`
}

export const mostOf = ({ site }: ListOwner): number => (site ? SITE_NETWORKS_MAX : DEPLOYMENT_NETWORKS_MAX)

/** The range that the text means, if a list may have it. Throws AppError. */
export function listable(text: string): Cidr {
  const cidr = parseCidr(text.trim())
  if (!cidr) throw new AppError('network-invalid', { network: text, field: 'network' })
  const widest = WIDEST[cidr.family]
  if (cidr.bits < widest) throw new AppError('network-too-wide', { network: cidrText(cidr), widest, field: 'network' })
  return cidr
}

/** The note of a rule, trimmed. Throws AppError. */
export function noteOf(text: string): string {
  const note = text.trim()
  if (!hasAtMost(NETWORK_NOTE_MAX, note) || hidesCharacters(note))
    throw new AppError('network-note-invalid', { most: NETWORK_NOTE_MAX, field: 'note' })
  return note
}

import { Prisma } from '../../../prisma/client/client.ts'
import type { NetworkVerdict } from '../../contract/networks.ts'
import type { Db } from '../../kit/db/transact.ts'
import { contains, parseAddress, parseCidr } from '../../kit/http/address.ts'
import { ACTOR_COLUMNS, type ActorRow, type StaffActor, WITH_PERSON, withStaffActor } from '../../ledger/audit/actor.ts'
import { byOwner, type ListOwner } from './owner.ts'

/** `changedAt`: Unix seconds. */
export type NetworkRow = {
  id: string
  network: string
  verdict: NetworkVerdict
  note: string
  changedAt: number
  /** Who added or changed it; on a site's list, people who are no members have no name. */
  actor: Pick<StaffActor, 'kind'> & { name: string | null }
  /** It contains the address of the person who reads the list. */
  yours: boolean
  /** The networks of the list within it that have another verdict and therefore count in its place, at most MOST_EXCEPTIONS. */
  overriddenBy: string[]
}

const MOST_EXCEPTIONS = 3

type Row = Omit<NetworkRow, 'actor' | 'yours'> & ActorRow

/** A list in the order of its networks, after `cursor` (a network). `address`: of the reader. */
export async function listNetworks(
  ctx: Db,
  owner: ListOwner,
  { cursor, limit, address }: { cursor?: string | undefined; limit: number; address?: string },
): Promise<{ rows: NetworkRow[]; nextCursor: string | null }> {
  const { tenantId, siteId } = byOwner(owner)
  const rows = await ctx.prisma.$queryRaw<Row[]>`
    select e.id::text as id, e.network, e.verdict::text as verdict, e.note,
      floor(extract(epoch from e.changed_at))::float8 as "changedAt", ${ACTOR_COLUMNS},
      array(
        select n.network from network_rule n
        where n.tenant_id is not distinct from e.tenant_id and n.site_id is not distinct from e.site_id
          and n.network::cidr << e.network::cidr and n.verdict <> e.verdict
        order by n.network::cidr limit ${MOST_EXCEPTIONS}::int
      ) as "overriddenBy"
    from network_rule e
    ${WITH_PERSON}
    where e.tenant_id is not distinct from ${tenantId}::uuid and e.site_id is not distinct from ${siteId}::uuid
      ${cursor === undefined ? Prisma.empty : Prisma.sql`and e.network::cidr > ${cursor}::cidr`}
    order by e.network::cidr
    limit ${limit + 1}`
  const own = parseAddress(address)
  const page = rows.slice(0, limit).map((row): NetworkRow => {
    const { actor, ...seen } = withStaffActor(row)
    const cidr = parseCidr(seen.network)
    return {
      ...seen,
      // a tenant's members see each other's names only
      actor: { kind: actor.kind, name: owner.site === null || actor.kind === 'member' ? actor.name : null },
      yours: own !== undefined && cidr !== undefined && contains(cidr, own),
    }
  })
  return { rows: page, nextCursor: rows.length > limit ? (page.at(-1)?.network ?? null) : null }
}

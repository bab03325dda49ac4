import type { NetworkVerdict } from '../../contract/networks.ts'
import type { Db } from '../../kit/db/transact.ts'
import { type Cidr, parseCidr } from '../../kit/http/address.ts'
import { NetworkTable } from '../../kit/http/networkTable.ts'

/** A network on a list. */
export type ListedNetwork = { cidr: Cidr; verdict: NetworkVerdict }

/** A list, from rows such as `203.0.113.0/24 dear`. */
export const tableOf = (rows: readonly string[]): NetworkTable<ListedNetwork> =>
  new NetworkTable(
    rows.flatMap((row) => {
      const [network = '', verdict] = row.split(' ')
      const cidr = parseCidr(network)
      return cidr ? [{ cidr, verdict: verdict as NetworkVerdict }] : []
    }),
  )

/** The deployment's list, as such rows. */
export async function deploymentNetworks({ prisma }: Db): Promise<string[]> {
  const rows = await prisma.networkRule.findMany({
    where: { tenantId: null, siteId: null },
    select: { network: true, verdict: true },
    orderBy: { network: 'asc' },
  })
  return rows.map(({ network, verdict }) => `${network} ${verdict}`)
}

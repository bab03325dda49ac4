import { listNetworks } from '../../../accounts/networks/list.ts'
import { DEPLOYMENT_NETWORKS_MAX, type NetworkVerdict, VERDICTS } from '../../../contract/networks.ts'
import type { Db } from '../../../kit/db/transact.ts'
import { AppError } from '../../../kit/error.ts'
import { type Cidr, cidrText, contains, parseAddress, parseCidr } from '../../../kit/http/address.ts'
import type { FileEntry } from './file.ts'

/** In the order in which they decide about the same network. */
const LISTS = ['site', 'deployment', 'file'] as const

/** An entry of a list that contains an address. `line`: of the file. */
export type FoundNetwork = {
  list: (typeof LISTS)[number]
  network: string
  verdict: NetworkVerdict
  note: string
  line: number | null
}

type Entry = FoundNetwork & { cidr: Cidr }

/**
 * All entries that contain the address, the one that decides first. Reads the lists anew, so that it also says what is wrong
 * with what a node has in memory. Throws AppError.
 */
export async function findNetworks(
  ctx: Db,
  input: { address: string; site: { id: string; tenantId: string } | null; file: readonly FileEntry[] },
): Promise<FoundNetwork[]> {
  const address = parseAddress(input.address)
  if (!address) throw new AppError('address-invalid', { address: input.address })
  const rules = async (list: 'site' | 'deployment', site: { id: string; tenantId: string } | null) =>
    (await listNetworks(ctx, { site }, { limit: DEPLOYMENT_NETWORKS_MAX })).rows.flatMap((row): Entry[] => {
      const cidr = parseCidr(row.network)
      return cidr ? [{ list, network: row.network, verdict: row.verdict, note: row.note, line: null, cidr }] : []
    })
  const all = [
    ...(input.site ? await rules('site', input.site) : []),
    ...(await rules('deployment', null)),
    ...input.file
      // before anything is made of a million of them
      .filter(({ cidr }) => contains(cidr, address))
      .map(({ cidr, verdict, label, line }): Entry => {
        return { list: 'file', network: cidrText(cidr), verdict, note: label, line, cidr }
      }),
  ]
  return all
    .filter(({ cidr }) => contains(cidr, address))
    .toSorted(
      (a, b) =>
        b.cidr.bits - a.cidr.bits ||
        LISTS.indexOf(a.list) - LISTS.indexOf(b.list) ||
        VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict),
    )
    .map(({ list, network, verdict, note, line }) => ({ list, network, verdict, note, line }))
}

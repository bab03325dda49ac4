import { stat } from 'node:fs/promises'
import type { Listed, Visitor } from '../../../accounts/access.ts'
import { deploymentNetworks, type ListedNetwork, tableOf } from '../../../accounts/networks/tables.ts'
import type { SiteFacts } from '../../../accounts/sites/facts.ts'
import type { NetworkVerdict } from '../../../contract/networks.ts'
import type { Context, Resource } from '../../../kit/context.ts'
import { AppError } from '../../../kit/error.ts'
import type { Address } from '../../../kit/http/address.ts'
import { NetworkTable } from '../../../kit/http/networkTable.ts'
import { type FileEntry, NetworksFileError, readNetworksFile } from './file.ts'

/** The operator's file as this node has loaded it. Times are Unix seconds. */
export type FileState = {
  path: string
  ranges: number
  /** Null before the first time. */
  loadedAt: number | null
  /** Why its present content was not loaded; the ranges before stay in use. */
  error: { line: number | null; message: string; at: number } | null
}

/** The lists that are the same for all sites, in memory: the deployment's rules and the operator's file. */
export class NetworkLists {
  deployment = new NetworkTable<ListedNetwork>([])
  file = new NetworkTable<FileEntry>([])
  fileEntries: readonly FileEntry[] = []
  fileState: FileState | null
  private readonly ctx: Context
  private rulesRead = ''
  private fileRead = ''
  private reading: Promise<void> = Promise.resolve()

  constructor(ctx: Context) {
    this.ctx = ctx
    const path = ctx.config.networksFile
    this.fileState = path === undefined ? null : { path, ranges: 0, loadedAt: null, error: null }
  }

  /** Reads the deployment's rules. */
  async readRules(): Promise<void> {
    const rows = await deploymentNetworks(this.ctx)
    const text = rows.join()
    if (text === this.rulesRead) return
    this.rulesRead = text
    this.deployment = tableOf(rows)
  }

  /** Reads the file if it has changed. An error is logged once, and what was loaded before stays. */
  readFile(): Promise<void> {
    // one after the other, so that each caller waits for the present content
    const read = this.reading.then(() => this.readChanged())
    this.reading = read.catch(() => {})
    return read
  }

  private async readChanged(): Promise<void> {
    const { fileState } = this
    if (!fileState) return
    const { path } = fileState
    const version = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      (error: NodeJS.ErrnoException) => String(error.code),
    )
    if (version === this.fileRead) return
    this.fileRead = version
    const at = Math.floor(Date.now() / 1000)
    try {
      const entries = await readNetworksFile(path, (contradictions) =>
        this.ctx.log.warn(
          { path, contradictions: contradictions.slice(0, 10), more: Math.max(0, contradictions.length - 10) },
          'NETWORKS_FILE contradicts itself; the strictest line about a range counts',
        ),
      )
      this.file = new NetworkTable(entries)
      this.fileEntries = entries
      this.fileState = { path, ranges: entries.length, loadedAt: at, error: null }
      this.ctx.log.info({ path, ranges: entries.length }, 'NETWORKS_FILE was loaded')
    } catch (error) {
      if (!(error instanceof NetworksFileError)) throw error
      const { line = null, message } = error
      this.fileState = { ...fileState, error: { line, message, at } }
      this.ctx.log.error(
        { path, line, reason: message, ranges: fileState.ranges },
        'NETWORKS_FILE was not loaded; the ranges that were loaded before stay in use',
      )
    }
  }
}

const LISTS: Resource<NetworkLists> = { name: 'network lists', make: (ctx) => new NetworkLists(ctx) }

/** The lists of this node. */
export const networkLists = (ctx: Pick<Context, 'resources'>): NetworkLists => ctx.resources.of(LISTS)

/**
 * What the lists say about an address at a site; undefined if it is on none. The longest prefix decides; of equal ones, the
 * site's, then the deployment's, then the file's.
 */
export function listedAt(
  ctx: Pick<Context, 'resources'>,
  site: Pick<SiteFacts, 'networks'>,
  address: Address | undefined,
): Listed | undefined {
  if (!address) return undefined
  const { deployment, file } = networkLists(ctx)
  const own = site.networks?.find(address)
  const rule = deployment.find(address)
  const line = file.find(address)
  const common = line && (!rule || line.cidr.bits > rule.cidr.bits) ? line : rule
  if (own && (!common || own.cidr.bits >= common.cidr.bits)) return { verdict: own.verdict, by: 'site-list' }
  return common && { verdict: common.verdict, by: 'deployment-list' }
}

/** The list that the visitor's network is on. A denied one has no price. */
export const listOf = ({ listed }: Visitor): Exclude<NetworkVerdict, 'deny'> | null =>
  listed === undefined || listed.verdict === 'deny' ? null : listed.verdict

/** A client that was denied need not ask again soon. */
const DENIED_SECONDS = 3600

/** Throws `rate-limited` if a list denies the visitor's network. The contract has no code for it. */
export function assertNotDenied({ listed }: Visitor): void {
  if (listed?.verdict === 'deny') throw new AppError('rate-limited', { retryAfter: DENIED_SECONDS, detail: listed.by })
}

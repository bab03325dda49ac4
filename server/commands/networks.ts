import type { OperatorCtx } from '../accounts/access.ts'
import { findSiteRow } from '../accounts/find.ts'
import { addNetwork } from '../accounts/networks/add.ts'
import { listNetworks } from '../accounts/networks/list.ts'
import type { ListOwner } from '../accounts/networks/owner.ts'
import { removeNetwork } from '../accounts/networks/remove.ts'
import { NetworksFileError, readNetworksFile, readPublishedList } from '../captcha/challenges/networks/file.ts'
import { type FoundNetwork, findNetworks } from '../captcha/challenges/networks/find.ts'
import { providerOf } from '../captcha/challenges/networks/providers.ts'
import { DEPLOYMENT_NETWORKS_MAX, type NetworkVerdict, VERDICTS } from '../contract/networks.ts'
import { OperatorError } from '../kit/error.ts'
import { cidrText, parseAddress } from '../kit/http/address.ts'
import { argument, type Command, type Option, type Options, type Outcome, text, UsageError } from './options.ts'

const SITE: Option = {
  value: 'SITE',
  about: 'id or site key of the site; by default the list of the deployment, for all sites',
  optional: true,
}
const NETWORK: Option = { value: 'CIDR', about: 'a range such as 203.0.113.0/24 or 2001:db8::/32, or an address' }

const EFFECTS = {
  allow: 'being busy costs its visitors nothing',
  dear: 'its challenges are four times as difficult',
  deny: 'it gets no challenge',
} satisfies Record<NetworkVerdict, string>

const ownerOf = async (ctx: OperatorCtx, options: Options): Promise<ListOwner> => ({
  site: options['site'] === undefined ? null : await findSiteRow(ctx, text(options, 'site')),
})

const nameOf = ({ site }: ListOwner): string => (site ? `the list of site ${site.id}` : 'the list of the deployment')

function verdictOf(options: Options): NetworkVerdict {
  const given = text(options, 'verdict')
  const known = VERDICTS.find((verdict) => verdict === given)
  if (!known) throw new UsageError(`--verdict must be one of ${VERDICTS.join(', ')}, not "${given}".`)
  return known
}

/** An entry as people read it. */
function entryText({ list, network, verdict, note, line }: FoundNetwork): string {
  const where = { site: 'the site’s list', deployment: 'the deployment’s list', file: `line ${line} of NETWORKS_FILE` }
  return `${network} ${verdict}, on ${where[list]}${note === '' ? '' : `: ${note}`}`
}

function foundText(address: string, [used, ...others]: FoundNetwork[]): string {
  if (!used) return `${address} is on no list.`
  const reason =
    others.length === 0
      ? ''
      : `\nIt has the longest prefix; of equal ones, the site’s list is used before the deployment’s, and that before the file. Not used:\n${others.map((other) => `  ${entryText(other)}`).join('\n')}`
  return `${address}: ${EFFECTS[used.verdict]}.\n  ${entryText(used)}${reason}`
}

const explained = (path: string) => (error: unknown) => {
  if (!(error instanceof NetworksFileError)) throw error
  throw new OperatorError(`NETWORKS_FILE (${path}), ${error.message} Nodes use what they loaded before.`)
}

/** The lines of a NETWORKS_FILE with the ranges of a published list. */
async function converted(path: string, verdict: NetworkVerdict): Promise<Outcome> {
  const { entries, leftOut } = await readPublishedList(path, verdict)
  const lines = entries.map((entry) => `${cidrText(entry.cidr)} ${entry.verdict} ${entry.label}`.trimEnd())
  return {
    result: { ok: true, ranges: entries.length, left_out: leftOut },
    text: [...leftOut.map((range) => `# left out, wider than a list may have: ${range}`), ...lines].join('\n'),
  }
}

/** Commands about the lists of networks. */
export const NETWORKS: Record<string, Command> = {
  'networks list': {
    about: 'Lists the networks of the deployment, or of a site.',
    options: { site: SITE },
    async run(ctx, options) {
      const owner = await ownerOf(ctx, options)
      const { rows } = await listNetworks(ctx, owner, { limit: DEPLOYMENT_NETWORKS_MAX })
      const networks = rows.map(({ network, verdict, note }) => ({ network, verdict, note }))
      const lines = networks.map(({ network, verdict, note }) => `${network} ${verdict} ${note}`.trimEnd())
      return {
        result: { networks },
        text: lines.length === 0 ? `There is no network on ${nameOf(owner)}.` : lines.join('\n'),
      }
    },
  },
  'networks add': {
    about: 'Adds a network to a list, on all nodes within 10 s.',
    options: {
      network: NETWORK,
      verdict: { value: 'VERDICT', about: VERDICTS.map((each) => `${each}: ${EFFECTS[each]}`).join('; ') },
      note: { value: 'TEXT', about: 'why; the list and the audit log show it' },
      site: SITE,
    },
    async run(ctx, options) {
      const owner = await ownerOf(ctx, options)
      const verdict = verdictOf(options)
      const { network } = await addNetwork(ctx, owner, {
        network: text(options, 'network'),
        verdict,
        note: text(options, 'note'),
      })
      return {
        result: { network, verdict },
        text: `Added ${network} to ${nameOf(owner)}: ${EFFECTS[verdict]}, on all nodes within 10 s.`,
      }
    },
  },
  'networks remove': {
    about: 'Removes a network from a list, on all nodes within 10 s.',
    options: { network: NETWORK, site: SITE },
    async run(ctx, options) {
      const owner = await ownerOf(ctx, options)
      const { network, verdict } = await removeNetwork(ctx, owner, { network: text(options, 'network') })
      return { result: { network, verdict }, text: `Removed ${network} (${verdict}) from ${nameOf(owner)}.` }
    },
  },
  'networks check': {
    about:
      'Checks a file of networks before it becomes NETWORKS_FILE. With --verdict it reads a list as others publish it, and prints such a file. Needs no database.',
    argument: { name: 'FILE', about: 'path of the file' },
    options: {
      verdict: {
        value: 'VERDICT',
        about: 'of the ranges that have none: lines, CSV or JSON of a published list',
        optional: true,
      },
    },
    async runAlone(options) {
      const path = argument(options, 'FILE')
      try {
        if (options['verdict'] !== undefined) return await converted(path, verdictOf(options))
        const entries = await readNetworksFile(path, ([first = '', ...more]) => {
          const others = more.length === 0 ? '' : ` There are ${more.length} more such ranges.`
          throw new NetworksFileError(undefined, `${first}${others}`)
        })
        const counts = Object.fromEntries(
          VERDICTS.map((verdict) => [verdict, entries.filter((entry) => entry.verdict === verdict).length]),
        )
        const words = VERDICTS.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
        return { result: { ok: true, ranges: entries.length, ...counts }, text: `${path} is valid: ${words}.` }
      } catch (error) {
        if (!(error instanceof NetworksFileError)) throw error
        // what is printed may go to a file, which must not contain an error
        if (options['verdict'] !== undefined && !options['json']) throw new OperatorError(`${path}: ${error.message}`)
        return {
          result: { ok: false, line: error.line ?? null, reason: error.message },
          text: `${path}: ${error.message}`,
          failed: true,
        }
      }
    },
  },
  'networks find': {
    about:
      'Says which lists an address is on, which entry decides, and which hosting or tunnel provider has it. Reads the lists and the files anew.',
    argument: { name: 'ADDRESS', about: 'an IPv4 or IPv6 address' },
    options: { site: { ...SITE, about: 'id or site key of a site, to include its list' } },
    async run(ctx, options) {
      const { site } = await ownerOf(ctx, options)
      const path = ctx.config.networksFile
      const address = argument(options, 'ADDRESS')
      const file = path === undefined ? [] : await readNetworksFile(path).catch(explained(path))
      const matches = await findNetworks(ctx, { address, site, file })
      const provider = providerOf(ctx, parseAddress(address)) ?? null
      const providerText = provider === null ? '' : `\nIt is an address of the provider ${provider}.`
      return {
        result: { address, verdict: matches[0]?.verdict ?? null, matches, provider },
        text: `${foundText(address, matches)}${providerText}`,
      }
    },
  },
}

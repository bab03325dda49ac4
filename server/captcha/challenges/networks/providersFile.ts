import { type Cidr, cidrText, mergeCidrs, parseCidr } from '../../../kit/http/address.ts'
import { NetworksFileError, widestOf } from './file.ts'

/**
 * The address ranges of a hosting or tunnel provider. `origin`: where they are published, what was done with that, and the date,
 * `YYYY-MM-DD`; undefined in a file that does not say it. `read`: they are what was published then. `compared`: large blocks of which
 * most was published then. `known`: large blocks that are registered to the provider, not compared.
 */
export type Provider = {
  name: string
  origin: { source: string; how: 'read' | 'compared' | 'known'; date: string } | undefined
  ranges: readonly Cidr[]
}

const NAME = /^[a-z0-9][a-z0-9.-]*$/
const ORIGIN = /^# ([a-z0-9][a-z0-9.-]*): (\S+), (read|compared|known) (\d{4}-\d\d-\d\d)$/
const HEADING =
  '# Address ranges of hosting and tunnel providers. `networks providers --out FILE` reads them again; see docs/settings.md.'

/** Throws NetworksFileError for the first line that is wrong. Several lines of one provider are its ranges together. */
export function parseProviders(text: string): Provider[] {
  const origins = new Map<string, Provider['origin']>()
  const ranges = new Map<string, Cidr[]>()
  for (const [i, line] of text.split(/\r\n|\n|\r/).entries()) {
    const [, described, source, how, date] = ORIGIN.exec(line) ?? []
    if (described && source && date && (how === 'read' || how === 'compared' || how === 'known'))
      origins.set(described, { source, how, date })
    const [name, ...texts] = line
      .replace(/(^|\s)#.*/, '')
      .split(/\s+/)
      .filter(Boolean)
    if (name === undefined) continue
    const own = ranges.get(name) ?? []
    for (const cidr of rangesOf(name, texts, i + 1)) own.push(cidr)
    ranges.set(name, own)
  }
  return [...ranges].map(([name, own]) => ({ name, origin: origins.get(name), ranges: own }))
}

function rangesOf(name: string, texts: readonly string[], line: number): Cidr[] {
  if (parseCidr(name))
    throw new NetworksFileError(line, `the name of the provider is missing. Write it before ${name}: NAME ${name}.`)
  if (!NAME.test(name))
    throw new NetworksFileError(
      line,
      `"${name.slice(0, 50)}" is not the name of a provider: use lower-case letters, digits, dots and hyphens. Write # before a comment.`,
    )
  if (texts.length === 0)
    throw new NetworksFileError(line, `${name} has no ranges. Add some behind its name, or remove the line.`)
  return texts.map((text) => {
    const cidr = parseCidr(text)
    if (!cidr)
      throw new NetworksFileError(
        line,
        `"${text.slice(0, 50)}" is not an address or a range such as 203.0.113.0/24. Separate ranges with spaces, or remove it.`,
      )
    const widest = widestOf(cidr)
    if (cidr.bits < widest)
      throw new NetworksFileError(line, `${cidrText(cidr)} is wider than /${widest}. Split it, or remove it.`)
    return cidr
  })
}

/** The file with these providers, each with its ranges merged, in one line for IPv4 and one for IPv6. */
export function formatProviders(providers: readonly Provider[]): string {
  const lines = providers.flatMap(({ name, origin, ranges }) => {
    const merged = mergeCidrs(ranges)
    const families = [4, 6].map((family) => merged.filter((range) => range.family === family).map(cidrText))
    return [
      ...(origin ? [`# ${name}: ${origin.source}, ${origin.how} ${origin.date}`] : []),
      ...families.filter((texts) => texts.length > 0).map((texts) => `${name} ${texts.join(' ')}`),
    ]
  })
  return `${[HEADING, ...lines].join('\n')}\n`
}

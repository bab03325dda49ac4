import { type NetworkVerdict, VERDICTS } from '../../../contract/networks.ts'
import { type Cidr, cidrsBetween, parseAddress, parseCidr } from '../../../kit/http/address.ts'

/** A line of a list of networks. `ranges` is undefined if the text of `network` is not an address or a range. */
export type ListLine = {
  network: string
  ranges: readonly Cidr[] | undefined
  verdict: NetworkVerdict | undefined
  /** What stands behind the network and the verdict. */
  rest: string[]
}

/** `#` as in `Hosting #1` begins no comment. */
const COMMENT = /^\s*[#;].*|\s;.*|\s#(?=\s|$).*/
const ADDRESS = String.raw`[\da-fA-F:]+[\da-fA-F:.]*`
const BETWEEN = new RegExp(`^(${ADDRESS})-(${ADDRESS})$`)
const SPACED = new RegExp(`^(${ADDRESS})\\s+-\\s+(?=${ADDRESS})`)
/** The cells of a line with commas or semicolons, with quotes or without. */
const CELL = /"((?:[^"]|"")*)"|[^,;]+/g

const verdictOf = (text: string | undefined): NetworkVerdict | undefined => VERDICTS.find((each) => each === text)

function rangesOf(network: string): readonly Cidr[] | undefined {
  const [, from = '', to = ''] = BETWEEN.exec(network) ?? []
  const [first, last] = [parseAddress(from), parseAddress(to)]
  if (first && last) return cidrsBetween(first, last)
  const cidr = parseCidr(network)
  return cidr && [cidr]
}

/** The parts of a line: of `203.0.113.0/24 dear label`, of CSV, or of `deny 203.0.113.0/24;` as in nginx. */
function partsOf(text: string): string[] {
  const plain = text
    .replace(COMMENT, '')
    .trim()
    .replace(/[;,]+$/, '')
    .replace(SPACED, '$1-')
  if (!/^"|^[^\s,;]+\s*[,;]/.test(plain)) return plain.split(/\s+/).filter(Boolean)
  return [...plain.matchAll(CELL)]
    .map(([cell, quoted]) => (quoted?.replaceAll('""', '"') ?? cell).trim())
    .filter((cell) => cell !== '')
}

/** Reads a line; undefined for an empty one and for a comment. */
export function readLine(text: string): ListLine | undefined {
  const [first, second, ...others] = partsOf(text)
  if (first === undefined) return undefined
  // nginx writes what happens to the network before it
  const leading = second === undefined ? undefined : verdictOf(first)
  if (leading) return { network: second ?? '', ranges: rangesOf(second ?? ''), verdict: leading, rest: labelOf(others) }
  // two columns, as from the first address to the last
  const isPair = parseAddress(first) !== undefined && parseAddress(second ?? '') !== undefined
  const [network, ...behind] = isPair
    ? [`${first}-${second}`, ...others]
    : [first, ...(second === undefined ? [] : [second]), ...others]
  const verdict = verdictOf(behind[0])
  return { network, ranges: rangesOf(network), verdict, rest: labelOf(verdict ? behind.slice(1) : behind) }
}

/** Without a comment that begins where the label would. */
const labelOf = (parts: string[]): string[] => (parts[0]?.startsWith('#') ? [] : parts)

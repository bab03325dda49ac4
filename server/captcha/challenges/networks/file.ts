import { readFile, stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NetworkVerdict, VERDICTS, WIDEST } from '../../../contract/networks.ts'
import { type Cidr, cidrText, parseCidr } from '../../../kit/http/address.ts'
import { type ListLine, readLine } from './readLine.ts'

/** A range of the operator's file. */
export type FileEntry = { cidr: Cidr; verdict: NetworkVerdict; label: string; line: number }

/** Why the file was not loaded; the message says what to change. `line` is undefined if it is about the whole file. */
export class NetworksFileError extends Error {
  readonly line: number | undefined

  constructor(line: number | undefined, message: string) {
    super(line === undefined ? message : `line ${line}: ${message}`)
    this.line = line
  }
}

/** Bounded, because a node answers nothing while it sorts the ranges: 0.3 s of CPU for 100,000, which take 25 MB of memory. */
const MOST = 250_000
const MOST_BYTES = 25_000_000

/** Lines that are parsed at a time, in about 10 ms; requests are answered in between. */
const TURN = 2000

/** The shortest prefix that a list may have in the family of the range. */
export const widestOf = ({ family }: Cidr): number => WIDEST[family]

/** The text of the file, which PowerShell and Windows editors write as UTF-16. */
async function textOf(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > MOST_BYTES)
      throw new NetworksFileError(
        undefined,
        `it has more than ${MOST_BYTES / 1_000_000} MB. Combine neighbouring ranges, or leave out the labels.`,
      )
    return decoded(await readFile(path))
  } catch (error) {
    throw unreadable(error)
  }
}

/** The text of these bytes. Throws NetworksFileError. */
export function decoded(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex')
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8'
  const text = new TextDecoder(encoding).decode(bytes)
  if (text.includes('\0'))
    throw new NetworksFileError(
      undefined,
      'it is not a text in UTF-8, or in UTF-16 with a byte order mark. Save it as UTF-8.',
    )
  return text
}

export const unreadable = (error: unknown): NetworksFileError =>
  error instanceof NetworksFileError
    ? error
    : new NetworksFileError(
        undefined,
        `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}). It must be a file that the service may read.`,
      )

/** Calls `take` with each line that is not empty. */
async function eachLine(text: string, take: (line: ListLine, number: number) => void): Promise<void> {
  const lines = text.split(/\r\n|\n|\r/)
  for (const [i, content] of lines.entries()) {
    const line = readLine(content)
    if (line) take(line, i + 1)
    if (i % TURN === TURN - 1) await nextTurn()
  }
}

/** The ranges of a line. Throws NetworksFileError if there is none. */
function rangesOf({ network, ranges }: ListLine, number: number): readonly Cidr[] {
  if (ranges) return ranges
  if (/^AS\d+$/i.test(network))
    throw new NetworksFileError(
      number,
      `"${network}" is the number of a provider, which is not looked up. List its ranges, with the number as their label.`,
    )
  throw new NetworksFileError(
    number,
    /^[{[]/.test(network)
      ? 'this is JSON. Write its ranges as lines: `networks check --verdict VERDICT FILE`.'
      : `"${network}" is not an address or a range such as 203.0.113.0/24 or 203.0.113.0-203.0.113.255. Write # before a comment or a heading.`,
  )
}

/** The ranges of a file, each once and with its strictest verdict. */
class Ranges {
  private readonly byText = new Map<string, FileEntry>()
  readonly contradictions: string[] = []

  add(entry: FileEntry): void {
    const text = cidrText(entry.cidr)
    const other = this.byText.get(text)
    if (other && other.verdict !== entry.verdict)
      this.contradictions.push(
        `${text} is ${other.verdict} in line ${other.line} and ${entry.verdict} in line ${entry.line}. Remove one of the two lines.`,
      )
    if (other && strictness(other) >= strictness(entry)) return
    if (!other && this.byText.size >= MOST)
      throw new NetworksFileError(entry.line, `there are more than ${MOST} ranges. Combine neighbouring ranges.`)
    this.byText.set(text, entry)
  }

  get entries(): FileEntry[] {
    return [...this.byText.values()]
  }
}

/** The higher, the more is asked of visitors. */
const strictness = ({ verdict }: FileEntry): number => VERDICTS.indexOf(verdict)

/**
 * Reads the operator's file of networks. Throws NetworksFileError for the first line that is wrong. Of lines that contradict each
 * other about one range, the strictest counts; `contradicted` gets a sentence about each.
 */
export async function readNetworksFile(
  path: string,
  contradicted: (sentences: string[]) => void = () => {},
): Promise<FileEntry[]> {
  const ranges = new Ranges()
  await eachLine(await textOf(path), (line, number) => {
    const { verdict, rest } = line
    for (const cidr of rangesOf(line, number)) {
      const widest = widestOf(cidr)
      if (cidr.bits < widest)
        throw new NetworksFileError(number, `${cidrText(cidr)} is wider than /${widest}. Split it, or remove the line.`)
      if (!verdict)
        throw new NetworksFileError(
          number,
          `${rest[0] === undefined ? 'the verdict is missing' : `"${rest[0]}" is not a verdict`}: use ${VERDICTS.join(', ')}. \`networks check --verdict VERDICT FILE\` adds one to each line.`,
        )
      ranges.add({ cidr, verdict, label: rest.join(' '), line: number })
    }
  })
  if (ranges.contradictions.length > 0) contradicted(ranges.contradictions)
  return ranges.entries
}

/** All ranges in a JSON document, whatever their fields are called. */
export function rangesIn(value: unknown): Cidr[] {
  if (typeof value === 'string') return [parseCidr(value) ?? []].flat()
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(rangesIn) : []
}

/**
 * Reads a list as others publish it: lines, CSV with a heading, or JSON. Ranges without a verdict get that one. Those that are too
 * wide for a list, such as multicast, are left out and returned as texts. Throws NetworksFileError.
 */
export async function readPublishedList(
  path: string,
  verdict: NetworkVerdict,
): Promise<{ entries: FileEntry[]; leftOut: string[] }> {
  const ranges = new Ranges()
  const leftOut: string[] = []
  const add = (cidr: Cidr, own: NetworkVerdict | undefined, label: string, line: number) => {
    if (cidr.bits < widestOf(cidr)) leftOut.push(cidrText(cidr))
    else ranges.add({ cidr, verdict: own ?? verdict, label, line })
  }
  const text = await textOf(path)
  if (/^\s*[{[]/.test(text)) {
    for (const cidr of rangesIn(parsed(text))) add(cidr, undefined, '', 1)
  } else {
    let isFirst = true
    await eachLine(text, (line, number) => {
      const isHeading = isFirst && line.ranges === undefined && line.rest.length > 0 && /^[a-z_ ]+$/i.test(line.network)
      isFirst = false
      if (isHeading) return
      for (const cidr of rangesOf(line, number)) add(cidr, line.verdict, line.rest.join(' '), number)
    })
  }
  if (ranges.entries.length === 0) throw new NetworksFileError(undefined, 'it has no range that a list may have.')
  return { entries: ranges.entries, leftOut }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NetworksFileError(undefined, `it begins as JSON and is not valid: ${(error as Error).message}.`)
  }
}

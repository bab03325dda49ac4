import { open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NetworkVerdict, VERDICTS, WIDEST } from '../../../contract/networks.ts'
import { type Cidr, cidrText, parseCidr } from '../../../kit/cidr.ts'

/** A line of the operator's file. */
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
const MOST_LINES = 250_000
const MOST_BYTES = 25_000_000

/** Lines that are parsed at a time, in about 10 ms; requests are answered in between. */
const TURN = 2000

/** The entry of a line, such as `203.0.113.0/24 dear AS64500`; undefined for an empty line or a comment. */
function entryOf(text: string, line: number): FileEntry | undefined {
  const [network, verdict, ...label] = text.replace(/#.*/, '').split(/\s+/).filter(Boolean)
  if (network === undefined) return undefined
  if (/^AS\d+$/i.test(network))
    throw new NetworksFileError(
      line,
      `"${network}" is the number of a provider, which is not looked up. List its ranges, with the number as their label.`,
    )
  const cidr = parseCidr(network)
  if (!cidr) throw new NetworksFileError(line, `"${network}" is not an address or a range such as 203.0.113.0/24.`)
  const widest = WIDEST[cidr.words.length === 1 ? 4 : 6]
  if (cidr.bits < widest) throw new NetworksFileError(line, `${cidrText(cidr)} is wider than /${widest}.`)
  const known = VERDICTS.find((each) => each === verdict)
  if (!known)
    throw new NetworksFileError(
      line,
      `${verdict === undefined ? 'the verdict is missing' : `"${verdict}" is not a verdict`}: use ${VERDICTS.join(', ')}.`,
    )
  return { cidr, verdict: known, label: label.join(' '), line }
}

/** Reads the operator's file of networks. Throws NetworksFileError for the first line that is wrong. */
export async function readNetworksFile(path: string): Promise<FileEntry[]> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path)
  } catch (error) {
    throw new NetworksFileError(undefined, `it cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    if ((await file.stat()).size > MOST_BYTES)
      throw new NetworksFileError(undefined, `it has more than ${MOST_BYTES / 1_000_000} MB.`)
    const entries: FileEntry[] = []
    let line = 0
    for await (const text of file.readLines()) {
      line += 1
      if (line > MOST_LINES) throw new NetworksFileError(line, `there are more than ${MOST_LINES} lines.`)
      const entry = entryOf(text, line)
      if (entry) entries.push(entry)
      if (line % TURN === 0) await nextTurn()
    }
    return entries
  } catch (error) {
    if (error instanceof NetworksFileError) throw error
    throw new NetworksFileError(
      undefined,
      `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
    )
  } finally {
    await file.close()
  }
}

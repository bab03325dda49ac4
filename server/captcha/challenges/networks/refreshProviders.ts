import { type Cidr, cidrText, mergeCidrs, overlap, rangesOf } from '../../../kit/http/address.ts'
import { widestOf } from './file.ts'
import type { ProviderSource } from './providerSources.ts'
import type { Provider } from './providersFile.ts'

/** A provider whose list was not taken over. `kept`: as it was before; undefined if it was not in the list. */
export type Failure = { name: string; url: string; reason: string; kept: Provider | undefined }

/** What came of it. `leftOut`: ranges of the lists that no list may have, with the names of their providers. */
export type Refreshed = { providers: Provider[]; failures: Failure[]; leftOut: { name: string; range: string }[] }

const TIMEOUT_MS = 60_000
const MOST_BYTES = 25_000_000

/**
 * Reads the list of each source. A provider whose list cannot be read or looks wrong keeps the ranges of `present`, and so does one
 * without a source. `date`: today, `YYYY-MM-DD`.
 */
export async function refreshProviders(
  present: readonly Provider[],
  sources: readonly ProviderSource[],
  date: string,
): Promise<Refreshed> {
  const failures: Failure[] = []
  const leftOut: Refreshed['leftOut'] = []
  const read = await Promise.all(
    sources.map(async (source): Promise<Provider | undefined> => {
      const { name, url } = source
      const former = present.find((provider) => provider.name === name)
      try {
        const all = await published(source)
        const ranges = mergeCidrs(all.filter(isUsable))
        leftOut.push(...all.filter((range) => !isUsable(range)).map((range) => ({ name, range: cidrText(range) })))
        const fault = faultOf(ranges, former?.ranges ?? [])
        if (fault === undefined) return { name, origin: { source: url, how: 'read', date }, ranges }
        failures.push({ name, url, reason: fault, kept: former })
      } catch (error) {
        // of one line, because it may become a comment in the file
        failures.push({ name, url, reason: causeOf(error).replace(/\s+/g, ' ').slice(0, 200), kept: former })
      }
      return former
    }),
  )
  const others = present.filter(({ name }) => sources.every((source) => source.name !== name))
  return { providers: [...read.filter((provider) => provider !== undefined), ...others], failures, leftOut }
}

async function published({ url, link, ranges }: ProviderSource): Promise<Cidr[]> {
  const text = await download(url)
  if (!link) return parsed(text, ranges)
  const [address] = link.exec(text) ?? []
  if (address === undefined) throw new Error('the page has no link to the list')
  return parsed(await download(new URL(address, url).href), ranges)
}

function parsed(text: string, ranges: ProviderSource['ranges']): Cidr[] {
  if (/^\s*<(!doctype|html)/i.test(text)) throw new Error('the answer is a page of HTML, not the list')
  return ranges(text)
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES / 1_000_000} MB`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof SyntaxError) return `the answer is not valid JSON: ${error.message}`
  // Node.js hides why behind "fetch failed"
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string }
  return code ?? message ?? error.message
}

/**
 * Ranges that nobody on the internet has: private, documentation, benchmarks, multicast and reserved (IANA's registries of
 * special-purpose addresses, RFC 6890), and all of IPv6 outside of 2000::/3, from which nothing was given out yet.
 */
const SPECIAL = rangesOf(
  ...`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16
  198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
  ::/3 4000::/2 8000::/1 2001:2::/48 2001:10::/28 2001:20::/28 2001:db8::/32 3fff::/20`.split(/\s+/),
)

const isUsable = (range: Cidr): boolean =>
  range.bits >= widestOf(range) && !SPECIAL.some((special) => overlap(special, range))

/** Why the ranges are not taken over. */
function faultOf(ranges: readonly Cidr[], former: readonly Cidr[]): string | undefined {
  if (ranges.length === 0) return 'it has no ranges of the internet; its format may have changed'
  for (const family of [4, 6] as const) {
    const [now, before] = [addressesOf(ranges, family), addressesOf(mergeCidrs(former), family)]
    if (now < before / 2)
      return `it has ${Math.floor((now / before) * 100)} % of the IPv${family} addresses that it had before`
  }
  return undefined
}

/** As a part of all addresses of the family. */
const addressesOf = (merged: readonly Cidr[], family: 4 | 6): number =>
  merged.reduce((sum, range) => (range.family === family ? sum + 2 ** -range.bits : sum), 0)

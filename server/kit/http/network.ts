import { isIPv4 } from 'node:net'
import type { Limit, Rule } from '../limits/limiter.ts'
import { dotted, parseCidr, type Words, wordsOf } from './cidr.ts'
import { NetworkTable } from './networkTable.ts'

/** The first `bits` (a multiple of 8) of an IPv6 address, as `2001:db8:1::/48`. */
function prefixOf(words: Words, bits: number): string {
  const parts = words.flatMap((word) => [word >>> 16, word & 0xffff]).slice(0, Math.ceil(bits / 16))
  if (bits % 16 > 0) parts.push((parts.pop() ?? 0) & 0xff00)
  return `${parts.map((part) => part.toString(16)).join(':')}::/${bits}`
}

/** The network of one visitor: an IPv4 address or an IPv6 /64, in canonical form. `unknown` if it is not an address. */
export function networkOf(text: string): string {
  // most visitors, and already canonical: Node.js accepts no leading zeros
  if (isIPv4(text)) return text
  const words = wordsOf(text)
  if (words === undefined) return 'unknown'
  return isWordOfIPv4(words) ? dotted(words[0]) : prefixOf(words, 64)
}

const isWordOfIPv4 = (words: Words): words is readonly [number] => words.length === 1

/** A wider network of the address, which names a provider's area and not a household: an IPv4 /24 or an IPv6 /48. */
export function areaOf(text: string): string | undefined {
  const words = wordsOf(text)
  if (words === undefined) return undefined
  return isWordOfIPv4(words) ? areaOfIPv4(dotted(words[0])) : prefixOf(words, 48)
}

const areaOfIPv4 = (address: string): string => `${address.slice(0, address.lastIndexOf('.'))}.0/24`

/** Family and length of a prefix that addresses are counted by. */
export type Prefix = 'v4/32' | 'v4/24' | 'v6/64' | 'v6/56' | 'v6/48' | 'v6/32'

/** All networks of an address that are counted, the smallest first, in canonical form. What is not an address is one of its own. */
export function prefixesOf(text: string): { prefix: Prefix; network: string }[] {
  const words = wordsOf(text)
  if (words === undefined) return [{ prefix: 'v4/32', network: 'unknown' }]
  if (!isWordOfIPv4(words))
    return ([64, 56, 48, 32] as const).map((bits) => ({ prefix: `v6/${bits}`, network: prefixOf(words, bits) }))
  const address = dotted(words[0])
  return [
    { prefix: 'v4/32', network: address },
    { prefix: 'v4/24', network: areaOfIPv4(address) },
  ]
}

/** How much wider a limit is for the larger networks that providers give to one customer: 256 and 65,536 /64s. */
const WIDER = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const

/**
 * A limit per client network. An IPv6 address takes a point of its /64, and one of its /56 and its /48, which have four
 * and sixteen times as many. `owner` is for a rule that counts for something else besides, such as a site.
 */
export function networkLimits(rule: Rule, text: string, owner = ''): Limit[] {
  const key = (network: string) => (owner === '' ? network : `${owner} ${network}`)
  const limits: Limit[] = [[rule, key(networkOf(text))]]
  if (isIPv4(text)) return limits
  const words = wordsOf(text)
  if (words === undefined || isWordOfIPv4(words)) return limits
  for (const { bits, times } of WIDER)
    limits.push([{ ...rule, name: `${rule.name}-${bits}`, points: rule.points * times }, key(prefixOf(words, bits))])
  return limits
}

/**
 * Whether a peer is one of the trusted proxies: addresses or ranges, in any notation. For Fastify's `trustProxy`, which asks for
 * the peer and for the address before it in each request.
 */
export function trustOf(proxies: readonly string[]): (text: string) => boolean {
  const table = new NetworkTable(proxies.flatMap((text) => parseCidr(text) ?? []).map((cidr) => ({ cidr })))
  return (text) => {
    const words = wordsOf(text)
    return words !== undefined && table.find(words) !== undefined
  }
}

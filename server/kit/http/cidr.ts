import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address as 32-bit words: one of IPv4, four of IPv6. */
export type Words = readonly number[]

/** A range of addresses: the first one, and the length of its prefix. */
export type Cidr = { readonly words: Words; readonly bits: number }

/** IPv6 forms of IPv4 addresses, by their first three words: mapped, and translated by NAT64 (RFC 6052). */
const isFormOfIPv4 = ([a, b, c]: Words): boolean =>
  b === 0 && ((a === 0 && c === 0xffff) || (a === 0x0064_ff9b && c === 0))

const asIPv4 = (words: Words): Words => (words.length === 4 && isFormOfIPv4(words) ? words.slice(3) : words)

/** The text of an address without port, brackets and zone. */
const bareOf = (text: string): string =>
  (/^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text).split('%', 1)[0] ?? ''

/**
 * The words of an address in any notation of a peer or a forwarding header: with or without port, brackets and zone, IPv4 possibly
 * written as IPv6. Undefined if it is not an address, as of a connection whose client has hung up: Node.js no longer knows its peer.
 */
export function wordsOf(text: string | undefined): Words | undefined {
  if (text === undefined) return undefined
  // most visitors, and Node.js accepts no leading zeros, `127.1` or `0x7f.1`
  if (isIPv4(text)) return [numberOf(text)]
  const bare = bareOf(text)
  if (isIPv4(bare)) return [numberOf(bare)]
  if (isIP(bare) !== 6) return undefined
  return asIPv4(plainWordsOf(bare) ?? wordsOfParts(ipaddr.IPv6.parse(bare).parts))
}

/** A canonical IPv4 address as a number below 2^32. */
function numberOf(dotted: string): number {
  let sum = 0
  let part = 0
  // not split: twice as fast, and every request asks
  for (let i = 0; i < dotted.length; i++) {
    const code = dotted.charCodeAt(i)
    if (code === 0x2e) {
      sum = sum * 256 + part
      part = 0
    } else part = part * 10 + code - 0x30
  }
  return sum * 256 + part
}

/** An IPv4 address as people write it. */
export const dotted = (word: number): string => [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff).join('.')

const wordsOfParts = (parts: readonly number[]): Words =>
  [0, 2, 4, 6].map((i) => (((parts[i] ?? 0) << 16) | (parts[i + 1] ?? 0)) >>> 0)

/**
 * The words of a valid IPv6 address of hexadecimal groups; undefined if it has a zone or a dotted part. ipaddr.js takes
 * 20 times as long, and every challenge asks.
 */
function plainWordsOf(text: string): Words | undefined {
  const parts: number[] = []
  let gap = -1
  let group = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x3a) {
      if (i > 0 && text.charCodeAt(i - 1) === 0x3a) gap = parts.length
      else if (i > 0) parts.push(group)
      group = 0
    } else if (code >= 0x30 && code <= 0x39) group = group * 16 + code - 0x30
    else if (code === 0x2e || code === 0x25) return undefined
    else group = group * 16 + (code | 0x20) - 0x57
  }
  if (!text.endsWith('::')) parts.push(group)
  const zeros = 8 - parts.length
  const part = (i: number): number => (gap < 0 || i < gap ? parts[i] : i < gap + zeros ? 0 : parts[i - zeros]) ?? 0
  const word = (i: number): number => ((part(i) << 16) | part(i + 1)) >>> 0
  return [word(0), word(2), word(4), word(6)]
}

/** The part of a word that a prefix of `bits` keeps. */
const maskOf = (bits: number): number => (bits <= 0 ? 0 : bits >= 32 ? 0xffff_ffff : (0xffff_ffff << (32 - bits)) >>> 0)

/** The same range from its first address. */
const masked = (words: Words, bits: number): Words => words.map((word, i) => (word & maskOf(bits - i * 32)) >>> 0)

/** The last address of a range. */
export const lastOf = ({ words, bits }: Cidr): Words => words.map((word, i) => (word | ~maskOf(bits - i * 32)) >>> 0)

/** The address after this one; undefined after the last one. */
export function next(words: Words): Words | undefined {
  const after = [...words]
  for (let i = after.length - 1; i >= 0; i--) {
    const word = ((after[i] ?? 0) + 1) >>> 0
    after[i] = word
    if (word !== 0) return after
  }
  return undefined
}

/**
 * Parses `203.0.113.0/24`, `2001:db8::/32` or a single address. Bits after the prefix are ignored. IPv4 ranges that are
 * written as IPv6 become IPv4. Undefined if it is neither, or if only a part of it is IPv4 written as IPv6.
 */
export function parseCidr(text: string): Cidr | undefined {
  const [, address = '', length] = /^([\da-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return undefined
  const all = version === 4 ? 32 : 128
  const bits = length === undefined ? all : Number(length)
  if (bits > all) return undefined
  const words = version === 4 ? [numberOf(address)] : wordsOfParts(ipaddr.IPv6.parse(address).parts)
  if (words.length === 1 || !isFormOfIPv4(words)) return { words: masked(words, bits), bits }
  return bits < 96 ? undefined : { words: masked(words.slice(3), bits - 96), bits: bits - 96 }
}

/** The ranges that together contain the addresses from `from` to `to`; undefined if that is not a range of one family. */
export function cidrsBetween(from: Words, to: Words): Cidr[] | undefined {
  if (from.length !== to.length || compareWords(from, to) > 0) return undefined
  const ranges: Cidr[] = []
  for (let first: Words | undefined = from; first && compareWords(first, to) <= 0; ) {
    let cidr: Cidr = { words: first, bits: first.length * 32 }
    for (let bits = cidr.bits - 1; bits >= 0; bits--) {
      const wider: Cidr = { words: first, bits }
      if (compareWords(masked(first, bits), first) !== 0 || compareWords(lastOf(wider), to) > 0) break
      cidr = wider
    }
    ranges.push(cidr)
    first = next(lastOf(cidr))
  }
  return ranges
}

/** The fewest ranges that contain the same addresses: IPv4 first, in the order of their addresses. */
export function mergeCidrs(cidrs: readonly Cidr[]): Cidr[] {
  const spans: { from: Words; to: Words }[] = []
  for (const cidr of cidrs.toSorted((a, b) => a.words.length - b.words.length || compareWords(a.words, b.words))) {
    const span = spans.at(-1)
    const last = lastOf(cidr)
    const touches = span?.to.length === last.length && compareWords(cidr.words, next(span.to) ?? span.to) <= 0
    if (!span || !touches) spans.push({ from: cidr.words, to: last })
    else if (compareWords(last, span.to) > 0) span.to = last
  }
  return spans.flatMap(({ from, to }) => cidrsBetween(from, to) ?? [])
}

/** The range in canonical form. */
export function cidrText({ words, bits }: Cidr): string {
  const [word = 0] = words
  if (words.length === 1) return `${dotted(word)}/${bits}`
  return `${new ipaddr.IPv6(words.flatMap((each) => [each >>> 16, each & 0xffff])).toRFC5952String()}/${bits}`
}

/** Whether the range contains the address. */
export const contains = ({ words, bits }: Cidr, address: Words): boolean =>
  words.length === address.length && masked(address, bits).every((word, i) => word === words[i])

/** Whether the ranges have an address in common. */
export const overlap = (a: Cidr, b: Cidr): boolean => contains(a, b.words) || contains(b, a.words)

/** The order of addresses of one family: negative if `a` comes first. */
export function compareWords(a: Words, b: Words): number {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address as a number: of 32 bits in family 4, of 128 in family 6. */
export type Address = { readonly family: 4 | 6; readonly value: bigint }

/** A range of addresses: its first one, and the length of the prefix. */
export type Cidr = { readonly family: 4 | 6; readonly first: bigint; readonly bits: number }

const BITS = { 4: 32, 6: 128 } as const

/** IPv6 forms of IPv4 addresses, by their first 96 bits: mapped, and translated by NAT64 (RFC 6052). */
const FORMS_OF_IPV4: ReadonlySet<bigint> = new Set([0xffffn, 0x64_ff9b_0000_0000_0000_0000n])

const asIPv4 = (address: Address): Address =>
  address.family === 6 && FORMS_OF_IPV4.has(address.value >> 32n)
    ? { family: 4, value: address.value & 0xffff_ffffn }
    : address

/** The value of an IPv4 address without leading zeros. Each request asks several times, so it is not split: that takes 5 times as long. */
function valueOf(dotted: string): bigint {
  let [value, part] = [0, 0]
  for (let i = 0; i < dotted.length; i++) {
    const digit = dotted.charCodeAt(i) - 0x30
    if (digit >= 0) part = part * 10 + digit
    else {
      value = value * 256 + part
      part = 0
    }
  }
  return BigInt(value * 256 + part)
}

/** The address that a valid text names. */
function read(text: string): Address {
  if (isIPv4(text)) return { family: 4, value: valueOf(text) }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = ipaddr.IPv6.parse(text).parts
  const half = (i: number, j: number, k: number, l: number) =>
    (BigInt(i * 0x1_0000 + j) << 32n) | BigInt(k * 0x1_0000 + l)
  return { family: 6, value: (half(a, b, c, d) << 64n) | half(e, f, g, h) }
}

/** The text of an address without port, brackets and zone. */
const bareOf = (text: string): string =>
  (/^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text).split('%', 1)[0] ?? ''

/**
 * Parses an address in any notation of a peer or a forwarding header: with or without port, brackets and zone, IPv4 possibly
 * written as IPv6. Undefined if it is not an address, as of a connection whose client has hung up: Node.js no longer knows its peer.
 */
export function parseAddress(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined
  // most visitors
  if (isIPv4(text)) return { family: 4, value: valueOf(text) }
  const bare = bareOf(text)
  return isIP(bare) === 0 ? undefined : asIPv4(read(bare))
}

/** The range of the address with that prefix. */
export function rangeOf({ family, value }: Address, bits: number): Cidr {
  const free = BigInt(BITS[family] - bits)
  return { family, first: (value >> free) << free, bits }
}

/**
 * Parses `203.0.113.0/24`, `2001:db8::/32` or a single address. Bits after the prefix are ignored. IPv4 ranges that are
 * written as IPv6 become IPv4. Undefined if it is neither, or if only a part of it is IPv4 written as IPv6.
 */
export function parseCidr(text: string): Cidr | undefined {
  const [, address = '', length] = /^([\da-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? []
  if (isIP(address) === 0) return undefined
  const written = read(address)
  const most = BITS[written.family]
  const bits = length === undefined ? most : Number(length)
  const meant = asIPv4(written)
  const own = bits - (most - BITS[meant.family])
  return bits > most || own < 0 ? undefined : rangeOf(meant, own)
}

/** The ranges of a list in the code. */
export const rangesOf = (...texts: string[]): Cidr[] => texts.flatMap((text) => parseCidr(text) ?? [])

/** The last address of a range. */
export const lastOf = ({ family, first, bits }: Cidr): bigint => first + (1n << BigInt(BITS[family] - bits)) - 1n

/** An IPv4 address as people write it. */
export function dotted(value: bigint): string {
  const word = Number(value)
  return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`
}

/** The range in canonical form. */
export function cidrText({ family, first, bits }: Cidr): string {
  if (family === 4) return `${dotted(first)}/${bits}`
  const groups = Array.from({ length: 8 }, (_, i) => Number((first >> BigInt(112 - 16 * i)) & 0xffffn))
  return `${new ipaddr.IPv6(groups).toRFC5952String()}/${bits}`
}

/** Whether the range contains the address. */
export const contains = ({ family, first, bits }: Cidr, address: Address): boolean =>
  family === address.family && rangeOf(address, bits).first === first

/** Whether the ranges have an address in common. */
export const overlap = (a: Cidr, b: Cidr): boolean =>
  contains(a, { family: b.family, value: b.first }) || contains(b, { family: a.family, value: a.first })

/** The order of ranges: IPv4 first, then by their first addresses, and those that contain others before them. */
export const compareRanges = (a: Cidr, b: Cidr): number =>
  a.family - b.family || (a.first < b.first ? -1 : a.first > b.first ? 1 : a.bits - b.bits)

/** The ranges that together contain the addresses from `from` to `to`; undefined if that is not a range of one family. */
export function cidrsBetween(from: Address, to: Address): Cidr[] | undefined {
  const { family } = from
  if (family !== to.family || from.value > to.value) return undefined
  const ranges: Cidr[] = []
  for (let value = from.value; value <= to.value; value = lastOf(ranges.at(-1) ?? rangeOf(to, BITS[family])) + 1n) {
    let widest = rangeOf({ family, value }, BITS[family])
    for (let bits = widest.bits - 1; bits >= 0; bits--) {
      const wider = rangeOf({ family, value }, bits)
      if (wider.first !== value || lastOf(wider) > to.value) break
      widest = wider
    }
    ranges.push(widest)
  }
  return ranges
}

/** The fewest ranges that contain the same addresses, in their order. */
export function mergeCidrs(cidrs: readonly Cidr[]): Cidr[] {
  const spans: { family: 4 | 6; from: bigint; to: bigint }[] = []
  for (const cidr of cidrs.toSorted(compareRanges)) {
    const { family, first: from } = cidr
    const to = lastOf(cidr)
    const span = spans.at(-1)
    if (span?.family !== family || from > span.to + 1n) spans.push({ family, from, to })
    else if (to > span.to) span.to = to
  }
  return spans.flatMap(({ family, from, to }) => cidrsBetween({ family, value: from }, { family, value: to }) ?? [])
}

import { BlockList, isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Limit, Rule } from './limiter.ts'

/** The well-known prefix for IPv4 addresses in NAT64 (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Parses the address of a peer or a forwarding header: with or without port and brackets, IPv4 possibly mapped to
 * IPv6. Undefined if it is not an address.
 */
export function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  // ipaddr.js also accepts `127.1` and `0x7f.1`
  if (isIP(bare) === 0) return undefined
  const address = ipaddr.process(bare.split('%', 1)[0] ?? '')
  if (address instanceof ipaddr.IPv6 && address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/** The first `bits` (a multiple of 8) of an IPv6 address, as `2001:db8:1::/48`. */
function prefixOf(address: ipaddr.IPv6, bits: number): string {
  const parts = address.parts.slice(0, Math.ceil(bits / 16))
  if (bits % 16 > 0) parts.push((parts.pop() ?? 0) & 0xff00)
  return `${parts.map((part) => part.toString(16)).join(':')}::/${bits}`
}

/** The network of one visitor: an IPv4 address or an IPv6 /64, in canonical form. `unknown` if it is not an address. */
export function networkOf(text: string): string {
  // most visitors, and already canonical: Node.js accepts no leading zeros
  if (isIPv4(text)) return text
  const address = parse(text)
  if (address === undefined) return 'unknown'
  return address instanceof ipaddr.IPv4 ? address.toString() : prefixOf(address, 64)
}

/** A wider network of the address, which names a provider's area and not a household: an IPv4 /24 or an IPv6 /48. */
export function areaOf(text: string): string | undefined {
  const address = parse(text)
  if (address === undefined) return undefined
  if (address instanceof ipaddr.IPv6) return prefixOf(address, 48)
  return `${address.toByteArray().slice(0, 3).join('.')}.0/24`
}

/** Family and length of a prefix that addresses are counted by. */
export type Prefix = 'v4/32' | 'v4/24' | 'v6/64' | 'v6/56' | 'v6/48' | 'v6/32'

/** All networks of an address that are counted, the smallest first, in canonical form. What is not an address is one of its own. */
export function prefixesOf(text: string): { prefix: Prefix; network: string }[] {
  const address = isIPv4(text) ? text : parse(text)
  if (address === undefined) return [{ prefix: 'v4/32', network: 'unknown' }]
  if (address instanceof ipaddr.IPv6)
    return ([64, 56, 48, 32] as const).map((bits) => ({ prefix: `v6/${bits}`, network: prefixOf(address, bits) }))
  const dotted = address.toString()
  return [
    { prefix: 'v4/32', network: dotted },
    { prefix: 'v4/24', network: `${dotted.slice(0, dotted.lastIndexOf('.'))}.0/24` },
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
  const address = parse(text)
  if (!(address instanceof ipaddr.IPv6)) return limits
  for (const { bits, times } of WIDER)
    limits.push([{ ...rule, name: `${rule.name}-${bits}`, points: rule.points * times }, key(prefixOf(address, bits))])
  return limits
}

/** A canonical IPv4 address as a number below 2^32. */
export function numberOf(dotted: string): number {
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

/**
 * Whether a peer is one of the trusted proxies: addresses or CIDRs. For Fastify's `trustProxy`, which asks for the peer and
 * for the address before it in each request. IPv4 ranges are compared as numbers: BlockList makes an object for each
 * question, a twentieth of the CPU of a verification.
 */
export function trustOf(proxies: readonly string[]): (text: string) => boolean {
  const list = new BlockList()
  const ranges: { from: number; to: number }[] = []
  for (const proxy of proxies) {
    const [net = '', bits] = proxy.split('/')
    const address = bits === undefined ? parse(net)?.toString() : net
    if (address === undefined) continue
    if (isIPv4(address)) {
      const size = 2 ** (32 - Number(bits ?? 32))
      const from = Math.floor(numberOf(address) / size) * size
      ranges.push({ from, to: from + size - 1 })
    } else if (bits === undefined) list.addAddress(address, 'ipv6')
    else list.addSubnet(address, Number(bits), 'ipv6')
  }
  const inRanges = (address: string): boolean => {
    const value = numberOf(address)
    return ranges.some(({ from, to }) => value >= from && value <= to)
  }
  return (text) => {
    if (isIPv4(text)) return inRanges(text)
    const address = parse(text)
    if (address === undefined) return false
    return address instanceof ipaddr.IPv4 ? inRanges(address.toString()) : list.check(address.toString(), 'ipv6')
  }
}

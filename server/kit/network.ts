import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The well-known prefix for IPv4 addresses in NAT64 (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Parses the address of a peer or a forwarding header: with or without port and brackets, IPv4 possibly mapped to
 * IPv6. Undefined if it is not an address.
 */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  // ipaddr.js also accepts `127.1` and `0x7f.1`
  if (isIP(bare) === 0) return undefined
  const address = ipaddr.process(bare.split('%', 1)[0] ?? '')
  if (address instanceof ipaddr.IPv6 && address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/** The network of one visitor: an IPv4 address or an IPv6 /64, in canonical form. `unknown` if it is not an address. */
export function networkOf(text: string): string {
  const address = parse(text)
  if (address === undefined) return 'unknown'
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Whether a peer is one of the trusted proxies: addresses or CIDRs. For Fastify's `trustProxy`. */
export function trustOf(proxies: readonly string[]): (text: string) => boolean {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [net = '', bits] = proxy.split('/')
    const address = parse(net)
    if (bits !== undefined) list.addSubnet(net, Number(bits), isIP(net) === 6 ? 'ipv6' : 'ipv4')
    else if (address) list.addAddress(address.toString(), address.kind())
  }
  return (text) => {
    const address = parse(text)
    return address !== undefined && list.check(address.toString(), address.kind())
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, type IPVersion, isIP } from 'node:net'

/** Headers that proxies add to a forwarded request. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether a header shows that a proxy forwarded the request, so that the connection's peer is not the client. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean => FORWARDING.some((name) => name in headers)

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether the address of a connection's peer, including IPv4 mapped to IPv6, is in the list; `undefined` is in none. */
export function isPeerIn(list: BlockList, peer: string | undefined): boolean {
  const address = (peer ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(address)
  return version !== 0 && list.check(address, `ipv${version}` as IPVersion)
}

/** Whether an address, such as that of a connection's peer, is a loopback address. */
export const isLoopback = (peer: string | undefined): boolean => isPeerIn(LOOPBACK, peer)

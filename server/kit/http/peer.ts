import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Log } from '../process/log.ts'
import { type Cidr, contains, parseAddress, rangesOf } from './address.ts'
import { NetworkTable } from './networkTable.ts'

/** Headers that proxies add to a forwarded request. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether a header shows that a proxy forwarded the request, so that the connection's peer is not the client. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean => FORWARDING.some((name) => name in headers)

const LOOPBACK = rangesOf('127.0.0.0/8', '::1')

/**
 * Whether the address of a connection's peer, including IPv4 mapped to IPv6, is in one of the ranges; `undefined` is in none.
 * A peer behind NAT64 is in none either: a private IPv4 address has no such form.
 */
export function isPeerIn(ranges: readonly Cidr[], peer: string | undefined): boolean {
  const address = peer === undefined || /^64:ff9b:/i.test(peer) ? undefined : parseAddress(peer)
  return address !== undefined && ranges.some((range) => contains(range, address))
}

/** Whether an address, such as that of a connection's peer, is a loopback address. */
export const isLoopback = (peer: string | undefined): boolean => isPeerIn(LOOPBACK, peer)

/**
 * Whether a peer is one of the trusted proxies: addresses or ranges, in any notation. For Fastify's `trustProxy`, which asks for
 * the peer and for the address before it in each request.
 */
export function trustOf(proxies: readonly string[]): (text: string) => boolean {
  const table = new NetworkTable(rangesOf(...proxies).map((cidr) => ({ cidr })))
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && table.find(address) !== undefined
  }
}

/**
 * Says once in the log that requests come through a proxy that is not listed. `request.ip` is then the proxy's address for all
 * visitors behind it.
 */
export function createProxyNotice(log: Log): (request: FastifyRequest) => void {
  let isSaid = false
  return (request) => {
    // last, because it reads the address from the headers
    if (isSaid || !('x-forwarded-for' in request.headers) || request.ip !== request.raw.socket.remoteAddress) return
    isSaid = true
    log.warn(
      `a request with X-Forwarded-For came from ${request.ip}, which TRUSTED_PROXIES does not list. If it is your proxy, add its address: until then all visitors behind it count as one, and share its limits`,
    )
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { type Cidr, contains, parseCidr, wordsOf } from './cidr.ts'

/** Headers that proxies add to a forwarded request. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether a header shows that a proxy forwarded the request, so that the connection's peer is not the client. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean => FORWARDING.some((name) => name in headers)

/** The ranges of a list in the code. */
export const rangesOf = (...texts: string[]): Cidr[] => texts.flatMap((text) => parseCidr(text) ?? [])

const LOOPBACK = rangesOf('127.0.0.0/8', '::1')

/**
 * Whether the address of a connection's peer, including IPv4 mapped to IPv6, is in one of the ranges; `undefined` is in none.
 * A peer behind NAT64 is in none either: a private IPv4 address has no such form.
 */
export function isPeerIn(ranges: readonly Cidr[], peer: string | undefined): boolean {
  const words = peer === undefined || /^64:ff9b:/i.test(peer) ? undefined : wordsOf(peer)
  return words !== undefined && ranges.some((range) => contains(range, words))
}

/** Whether an address, such as that of a connection's peer, is a loopback address. */
export const isLoopback = (peer: string | undefined): boolean => isPeerIn(LOOPBACK, peer)

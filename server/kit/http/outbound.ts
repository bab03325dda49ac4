import { Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { performance } from 'node:perf_hooks'
import ipaddr from 'ipaddr.js'
import { type Cidr, contains, dotted, parseAddress, rangesOf } from './address.ts'

/** Time for all of a request, from its name to the end of its reply. */
const TIMEOUT_MS = 5000
const REPLY_BYTES = 1024

/** The addresses of a hostname; rejects or is empty if it has none. */
export type Resolve = (hostname: string) => Promise<string[]>

/** `allowed`: networks that are reachable although they are not public, and without TLS. The others are for tests. */
export type Reach = { allowed: readonly Cidr[]; resolve?: Resolve | undefined; timeoutMs?: number }

/** Asks the name servers themselves: the system's resolver would keep one of the process's few threads while it waits. */
const resolveName: Resolve = async (hostname) => {
  if (/(^|\.)localhost$/.test(hostname)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

/** All that is assigned to networks of the internet; ipaddr.js knows the reserved parts of it. */
const ASSIGNED = rangesOf('0.0.0.0/0', '2000::/3')
/** Azure's metadata service has a public address. */
const METADATA = rangesOf('168.63.129.16')

/** Whether the text is an address of the internet: not private, loopback, link-local, multicast, reserved or of a metadata service. */
export function isPublic(text: string): boolean {
  const address = parseAddress(text)
  if (!address || !ASSIGNED.some((range) => contains(range, address))) return false
  if (METADATA.some((range) => contains(range, address))) return false
  return ipaddr.parse(address.family === 4 ? dotted(address.value) : text).range() === 'unicast'
}

/** Why a URL may not be called: its host has no address, none that may be called, or only ones that need https. */
export type Unreachable = 'unresolved' | 'not-public' | 'not-https'

const UNREACHABLE = {
  unresolved: 'the name servers know no address of the host',
  'not-public': 'the host has no public address',
  'not-https': 'the URL does not begin with https://',
} as const satisfies Record<Unreachable, string>

/** The addresses that a request to the URL may connect to, at least one, or why there are none. */
export async function reachableAddresses(
  { protocol, hostname }: URL,
  { allowed, resolve = resolveName }: Reach,
): Promise<string[] | Unreachable> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host).catch(() => [])
  const isAllowed = (text: string) => {
    const address = parseAddress(text)
    return address !== undefined && allowed.some((range) => contains(range, address))
  }
  if (protocol !== 'https:' && protocol !== 'http:') return 'not-https'
  if (addresses.length === 0) return 'unresolved'
  const reachable = addresses.filter((text) => isAllowed(text) || (protocol === 'https:' && isPublic(text)))
  if (reachable.length > 0) return reachable
  return addresses.some(isPublic) ? 'not-https' : 'not-public'
}

/** A look-up that gives addresses which were checked, so that the connection cannot lead elsewhere. */
const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }

/** `status`: null without a reply. `text`: the first kilobyte of its body, or why there was none. */
export type Reply = { status: number | null; text: string; milliseconds: number }

/** Posts a body within 5 seconds. Follows no redirect and reads at most a kilobyte of the reply. Never rejects. */
export async function postOnce(url: URL, headers: Record<string, string>, body: string, reach: Reach): Promise<Reply> {
  const started = performance.now()
  const { timeoutMs = TIMEOUT_MS } = reach
  const outcome = await new Promise<Omit<Reply, 'milliseconds'>>((resolve) => {
    let isOver = false
    const done = (outcome: Omit<Reply, 'milliseconds'>) => {
      isOver = true
      clearTimeout(timer)
      resolve(outcome)
    }
    const fail = (text: string) => done({ status: null, text })
    let giveUp = () => fail(`no reply within ${timeoutMs / 1000} seconds`)
    const timer = setTimeout(() => giveUp(), timeoutMs)
    const connect = (addresses: string[] | Unreachable) => {
      if (isOver) return
      if (typeof addresses === 'string') return fail(UNREACHABLE[addresses])
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const request = send(url, { method: 'POST', headers, agent: false, lookup: answering(addresses) }, (response) => {
        const chunks: Buffer[] = []
        let read = 0
        // also when the body is cut or takes too long: the status has said what counts
        giveUp = () => {
          const text = Buffer.concat(chunks).subarray(0, REPLY_BYTES).toString()
          done({ status: response.statusCode ?? null, text: text.replaceAll('\0', '') })
          request.destroy()
        }
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          read += chunk.length
          if (read >= REPLY_BYTES) giveUp()
        })
        response.on('end', () => giveUp()).on('error', () => giveUp())
      })
      const noReply = giveUp
      giveUp = () => {
        noReply()
        request.destroy()
      }
      request.on('error', (error: NodeJS.ErrnoException) => fail(error.message || (error.code ?? 'no connection')))
      request.end(body)
    }
    void reachableAddresses(url, reach).then(connect)
  })
  return { ...outcome, milliseconds: Math.round(performance.now() - started) }
}

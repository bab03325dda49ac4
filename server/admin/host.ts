import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../kit/config/config.ts'

/** A loopback name in a Host header, with its port if there is one. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/

type Settings = Pick<Config, 'publicUrl' | 'demo'>

/**
 * Whether a Host header names this service: the host and port of PUBLIC_URL. In an evaluation, and if PUBLIC_URL is on
 * the loopback interface, any loopback name is accepted too, with PUBLIC_URL's port or the port of the connection.
 * `X-Forwarded-Host` is ignored, because a page of another origin can send that header.
 */
export function isOwnHost({ publicUrl, demo }: Settings, host = '', localPort?: number): boolean {
  const own = new URL(publicUrl)
  const defaultPort = own.protocol === 'https:' ? '443' : '80'
  const given = host.toLowerCase()
  if (given === own.host || (own.port === '' && given === `${own.host}:${defaultPort}`)) return true
  const loopback = LOOPBACK.exec(given)
  if (!loopback || !(demo || LOOPBACK.test(own.host))) return false
  return [own.port || defaultPort, String(localPort)].includes(loopback[1] ?? defaultPort)
}

/**
 * A hook for routes that use cookies: answers 421 to requests with another Host. Otherwise a page of any domain that its
 * owner points at this service's address could read the replies, because to a browser it would be the same origin.
 */
export function refuseForeignHost(settings: Settings) {
  const { publicUrl } = settings
  const text = `This address is not PUBLIC_URL (${publicUrl}): open ${publicUrl}, or set PUBLIC_URL to the origin that browsers use.
If a proxy is in between, it must pass the Host header unchanged.
`
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (isOwnHost(settings, request.headers.host, request.socket.localPort)) return undefined
    return reply.code(421).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { originHost } from '../captcha/challenges/origin.ts'
import { FACTS_HEADER } from '../contract/hints.ts'
import { ENDPOINTS, endpointOf, isPath } from './endpoints.ts'

/** The origin of a web view, an application or an extension: its scheme is none of the network's. It can never pass. */
const APPLICATION = /^(?!(?:https?|ftps?|wss?):)[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]{0,259}$/
const mayRead = (origin: string): boolean => originHost(origin) !== undefined || APPLICATION.test(origin)
/** Names of headers with commas between them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/
/** Seconds for which a browser remembers the answer to a preflight request. */
const PREFLIGHT_SECONDS = '600'

/**
 * Lets the page of every well-formed Origin read every answer of a component endpoint, including errors, so that the page
 * can report a wrong address or site key, and a web view that its page has no web address. Whether the page may get a
 * challenge is checked later (challenges/origin.ts). Called before anything can be refused.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  // a percent-encoded path counts as what the router decodes it to, an unknown path as it is
  const path = endpointOf(request) ?? request.url.split('?', 1)[0] ?? ''
  if (!isPath(path) || ENDPOINTS[path].caller !== 'component') return
  void reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !mayRead(origin)) return
  void reply
    .header('access-control-allow-origin', origin)
    // the component measures a token's lifetime by the service's clock, from Date
    .header('access-control-expose-headers', 'x-request-id, retry-after, date')
}

/** Answers a preflight request of an Origin that may read the answers. It has no body, so it reveals nothing about a site. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { origin = '' } = request.headers
  if (!mayRead(origin) || request.headers['access-control-request-method'] === undefined) return undefined
  void reply.header('access-control-allow-methods', 'POST')
  return allowHeaders(request, reply, `content-type, ${FACTS_HEADER}`)
}

/**
 * Answers a preflight request: every header is allowed, because monitoring scripts add some to all requests of a page. `own`
 * are those that the component itself sends.
 */
export function allowHeaders(request: FastifyRequest, reply: FastifyReply, own = ''): FastifyReply {
  // repeated, because `*` does not include Authorization
  const asked = request.headers['access-control-request-headers'] ?? ''
  return reply
    .code(204)
    .header('access-control-allow-headers', HEADER_NAMES.test(asked) ? asked : own)
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .send()
}

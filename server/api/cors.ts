import type { FastifyReply, FastifyRequest } from 'fastify'
import { FACTS_HEADER } from '../captcha/challenges/hints/facts.ts'
import { originHost } from '../captcha/challenges/origin.ts'
import { ENDPOINTS, endpointOf, isPath } from './endpoints.ts'

/**
 * Lets the page of every well-formed Origin read every answer of a component endpoint, including errors, so that the page
 * can report a wrong address or site key. Whether the page may get a challenge is checked later (challenges/origin.ts).
 * Called before anything can be refused.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  // a percent-encoded path counts as what the router decodes it to, an unknown path as it is
  const path = endpointOf(request) ?? request.url.split('?', 1)[0] ?? ''
  if (!isPath(path) || ENDPOINTS[path].caller !== 'component') return
  void reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || originHost(origin) === undefined) return
  void reply
    .header('access-control-allow-origin', origin)
    // the component measures a token's lifetime by the service's clock, from Date
    .header('access-control-expose-headers', 'x-request-id, retry-after, date')
}

/** Answers a preflight request of any well-formed Origin. It has no body, so it reveals nothing about a site. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { origin } = request.headers
  if (originHost(origin) === undefined || request.headers['access-control-request-method'] === undefined)
    return undefined
  return reply
    .code(204)
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', `content-type, ${FACTS_HEADER}`)
    .header('access-control-max-age', '600')
    .send()
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SiteFacts } from '../accounts/sites/facts.ts'
import { originHost } from '../captcha/challenges/origin.ts'

/** Lets a page on one of the site's hostnames read the reply, errors included. Any other Origin gets no CORS header. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, site: SiteFacts): void {
  const { origin } = request.headers
  const host = originHost(origin)
  if (origin === undefined || host === undefined || !site.allows(host)) return
  void reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', 'x-request-id, retry-after, date')
}

/** Answers a preflight of any well-formed Origin: it carries no body, so it says nothing of a site. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { origin } = request.headers
  if (
    origin === undefined ||
    originHost(origin) === undefined ||
    request.headers['access-control-request-method'] === undefined
  )
    return undefined
  return reply
    .code(204)
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', 'content-type')
    .header('access-control-max-age', '600')
    .header('vary', 'Origin')
    .send()
}

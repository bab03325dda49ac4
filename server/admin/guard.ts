import type { FastifyRequest } from 'fastify'
import type { Config } from '../kit/config.ts'
import { Refusal } from '../kit/refusal.ts'

/**
 * Refuses requests of other sites that would change something with a person's cookie. A browser sends the page's origin
 * with every POST, and a form of another site cannot send JSON. Throws Refusal.
 */
export function refuseForeign(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers.origin !== new URL(config.publicUrl).origin) throw new Refusal('origin-not-allowed')
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal('unsupported-media-type')
}

import type { FastifyRequest } from 'fastify'
import type { Config } from '../kit/config.ts'
import { Refusal } from '../kit/refusal.ts'

/**
 * What may change something by a person's cookie: requests of our own pages only. A browser names the page's origin in
 * every POST, and a form of another site cannot send JSON. Throws Refusal.
 */
export function refuseForeign(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers.origin !== new URL(config.publicUrl).origin) throw new Refusal('origin-not-allowed')
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal('unsupported-media-type')
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { bearer } from '../accounts/access.ts'
import { readLanes } from '../kit/batch.ts'
import type { Config } from '../kit/config.ts'
import { isForwarded, isPeerIn } from '../kit/peer.ts'
import { Refusal } from '../kit/refusal.ts'
import { headerValues } from './mediaType.ts'

const registry = new Registry()

const answers = new Counter({
  name: 'tollgate_answers_total',
  help: 'Answers of the public API by endpoint and by the code of the refusal; "ok" for none.',
  labelNames: ['endpoint', 'code'] as const,
  registers: [registry],
})

/** Counts an answer: one addition, whatever becomes of it. */
export const countAnswer = (endpoint: string, code: string): void => answers.inc({ endpoint, code })

// The lanes count by themselves and are read when somebody asks, so that watching costs the road nothing.
const ofLane = { labelNames: ['lane'] as const, registers: [] }

registry.registerMetric(
  new Gauge({
    name: 'tollgate_lane_waiting',
    help: 'Requests that wait for the next batch of a lane.',
    ...ofLane,
    collect() {
      for (const { name, waiting } of readLanes()) this.set({ lane: name }, waiting)
    },
  }),
)

registry.registerMetric(
  new Counter({
    name: 'tollgate_lane_batches_total',
    help: 'Batches that a lane has sent.',
    ...ofLane,
    collect() {
      this.reset()
      for (const { name, batches } of readLanes()) this.inc({ lane: name }, batches)
    },
  }),
)

registry.registerMetric(
  new Counter({
    name: 'tollgate_lane_items_total',
    help: 'Requests in the batches that a lane has sent.',
    ...ofLane,
    collect() {
      this.reset()
      for (const { name, items } of readLanes()) this.inc({ lane: name }, items)
    },
  }),
)

/** Loopback and the networks that nobody reaches over the internet. */
const NEAR = new BlockList()
NEAR.addSubnet('127.0.0.0', 8, 'ipv4')
NEAR.addSubnet('10.0.0.0', 8, 'ipv4')
NEAR.addSubnet('172.16.0.0', 12, 'ipv4')
NEAR.addSubnet('192.168.0.0', 16, 'ipv4')
NEAR.addAddress('::1', 'ipv6')
NEAR.addSubnet('fc00::', 7, 'ipv6')
NEAR.addSubnet('fe80::', 10, 'ipv6')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Whoever has the token, where one is set. Without one: who connects from near by and for nobody else. What a proxy hands
 * on comes from near by as well, hence nothing that says it was forwarded.
 */
function mayRead({ metricsToken }: Pick<Config, 'metricsToken'>, request: FastifyRequest): boolean {
  if (metricsToken === undefined) {
    return !isForwarded(request.headers) && isPeerIn(NEAR, request.socket.remoteAddress)
  }
  const [header, ...others] = headerValues(request.raw, 'authorization')
  const token = header === undefined || others.length > 0 ? undefined : bearer(header)
  return token !== undefined && timingSafeEqual(digest(token), digest(metricsToken))
}

let watched = false

/** GET /metrics, for Prometheus; to strangers it is not there. */
export function mountMetrics(app: FastifyInstance, config: Pick<Config, 'metricsToken'>): void {
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(config, request)) throw new Refusal('not-found')
    if (!watched) collectDefaultMetrics({ register: registry })
    watched = true
    return reply
      .header('content-type', registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

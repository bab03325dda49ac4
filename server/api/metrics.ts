import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { bearer } from '../accounts/access.ts'
import type { Config } from '../kit/config/config.ts'
import type { Context, Resources } from '../kit/context.ts'
import { BatchQueue } from '../kit/db/batch.ts'
import { AppError } from '../kit/error.ts'
import { rangesOf } from '../kit/http/address.ts'
import { isForwarded, isPeerIn } from '../kit/http/peer.ts'
import { addGauges, addJobs, type Measured } from './gauges.ts'
import { headerValues } from './mediaType.ts'

const registry = new Registry()

const answers = new Counter({
  name: 'tollgate_answers_total',
  help: 'Answers of the public API by endpoint and by the code of the refusal; "ok" for none.',
  labelNames: ['endpoint', 'code'] as const,
  registers: [registry],
})

const durations = new Histogram({
  name: 'tollgate_request_duration_seconds',
  help: 'Time from a request to its answer, by endpoint of the public API.',
  labelNames: ['endpoint'] as const,
  // every answer is sent within 4.5 seconds
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 4.5],
  registers: [registry],
})

/** The counters by `endpoint code`: looking one up by its labels costs more than counting. */
const counters = new Map<string, Counter.Internal>()

/** Counts an answer. */
export function countAnswer(endpoint: string, code: string): void {
  const name = `${endpoint} ${code}`
  let counter = counters.get(name)
  if (!counter) counters.set(name, (counter = answers.labels({ endpoint, code })))
  counter.inc()
}

const histograms = new Map<string, Histogram.Internal<'endpoint'>>()

/** Counts how long an answer took, in milliseconds. */
export function countDuration(endpoint: string, milliseconds: number): void {
  let histogram = histograms.get(endpoint)
  if (!histogram) histograms.set(endpoint, (histogram = durations.labels({ endpoint })))
  histogram.observe(milliseconds / 1000)
}

/** Metrics of the batch queues. The queues keep their own counts, which are read on request. */
function queueMetrics(resources: Resources): Registry {
  const metrics = new Registry()
  const options = { labelNames: ['queue'] as const, registers: [] }
  const waiting = new Gauge({
    name: 'tollgate_queue_waiting',
    help: 'Requests that wait for the next batch of a queue.',
    ...options,
    collect() {
      for (const { name, value } of resources.all(BatchQueue)) this.set({ queue: name }, value.waiting)
    },
  })
  const batches = new Counter({
    name: 'tollgate_queue_batches_total',
    help: 'Batches that a queue has sent.',
    ...options,
    collect() {
      this.reset()
      for (const { name, value } of resources.all(BatchQueue)) this.inc({ queue: name }, value.batches)
    },
  })
  const items = new Counter({
    name: 'tollgate_queue_items_total',
    help: 'Requests in the batches that a queue has sent.',
    ...options,
    collect() {
      this.reset()
      for (const { name, value } of resources.all(BatchQueue)) this.inc({ queue: name }, value.items)
    },
  })
  for (const metric of [waiting, batches, items]) metrics.registerMetric(metric)
  return metrics
}

/** Loopback and private networks. */
const NEAR = rangesOf('127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7', 'fe80::/10')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * With a token set, a request needs it. Without one, it must come directly from loopback or a private network: a request
 * that a proxy forwarded comes from there too, so requests with forwarding headers are refused.
 */
function mayRead({ metricsToken }: Pick<Config, 'metricsToken'>, request: FastifyRequest): boolean {
  if (metricsToken === undefined) {
    return !isForwarded(request.headers) && isPeerIn(NEAR, request.socket.remoteAddress)
  }
  const [header, ...others] = headerValues(request.raw, 'authorization')
  const token = header === undefined || others.length > 0 ? undefined : bearer(header)
  return token !== undefined && timingSafeEqual(digest(token), digest(metricsToken))
}

/** Gauges with the names of counters, which promtool refuses. The resources by type have the same facts. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

let watched = false

/** Once per process, when it starts: the delays of the event loop are impossible values until some were measured. */
function collectProcessMetrics(): void {
  if (watched) return
  watched = true
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  // prom-client counts from here on, and these names mean the time since the process began
  const { user, system } = process.cpuUsage()
  for (const [name, microseconds] of Object.entries({ cpu_user: user, cpu_system: system, cpu: user + system })) {
    const counter = registry.getSingleMetric(`process_${name}_seconds_total`)
    if (counter instanceof Counter) counter.inc(microseconds / 1e6)
  }
}

/** Answers the primary process, which adds the metrics of all processes: prom-client listens once an aggregator exists. */
const answerPrimary = (queues: Registry) => {
  AggregatorRegistry.setRegistries([registry, queues])
  return new AggregatorRegistry()
}

/** GET /metrics, for Prometheus. Unauthorised requests get 404. */
export function mountMetrics(
  app: FastifyInstance,
  parts: Pick<Context, 'config' | 'resources'> & Measured,
  ofAll?: () => Promise<string>,
): void {
  const { config, resources } = parts
  const queues = queueMetrics(resources)
  addGauges(queues, parts)
  collectProcessMetrics()
  if (ofAll) answerPrimary(queues)
  else addJobs(queues, resources)
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(config, request)) throw new AppError('not-found')
    return reply
      .header('content-type', registry.contentType)
      .header('cache-control', 'no-store')
      .send(ofAll ? await ofAll() : `${await registry.metrics()}\n${await queues.metrics()}`)
  })
}

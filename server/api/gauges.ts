import { Counter, Gauge, type Registry } from 'prom-client'
import type { Context } from '../kit/context.ts'
import type { Database } from '../kit/db/db.ts'
import { JOB_RUNS } from '../kit/process/jobRuns.ts'
import { countAccepted, takeLongestTurn } from '../kit/process/turn.ts'

export type Measured = Pick<Context, 'limiter'> & { database: Pick<Database, 'pools'>; version: string }

/** Adds the state of this process to a registry: its version, connections, turns of the event loop and Redis. Read on request. */
export function addGauges(registry: Registry, { limiter, database, version }: Measured): void {
  const registers: Registry[] = []
  const build = new Gauge({
    name: 'tollgate_build_info',
    help: 'Always 1. The version of the service and of Node.js.',
    labelNames: ['version', 'node'] as const,
    aggregator: 'first',
    registers,
  })
  build.set({ version, node: process.versions.node }, 1)
  const connections = new Gauge({
    name: 'tollgate_database_connections',
    help: 'Open database connections by pool, and whether a statement uses them.',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const { name, open, idle } of database.pools()) {
        this.set({ pool: name, state: 'used' }, open - idle)
        this.set({ pool: name, state: 'idle' }, idle)
      }
    },
  })
  const limits = new Gauge({
    name: 'tollgate_database_connections_limit',
    help: 'The most connections that a pool opens.',
    labelNames: ['pool'] as const,
    registers,
    collect() {
      for (const { name, limit } of database.pools()) this.set({ pool: name }, limit)
    },
  })
  const waits = new Gauge({
    name: 'tollgate_database_connections_waiting',
    help: 'Statements that wait for a connection of the pool.',
    labelNames: ['pool'] as const,
    registers,
    collect() {
      for (const { name, waiting } of database.pools()) this.set({ pool: name }, waiting)
    },
  })
  const redis = new Gauge({
    name: 'tollgate_redis_up',
    help: 'Whether limits are shared through Redis: 1, or 0 while it is unavailable. Absent without REDIS_URL.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(limiter.state() === 'shared' ? 1 : 0)
    },
  })
  const accepted = new Counter({
    name: 'tollgate_connections_accepted_total',
    help: 'Connections that have been accepted.',
    registers,
    collect() {
      this.reset()
      this.inc(countAccepted())
    },
  })
  const turn = new Gauge({
    name: 'tollgate_turn_seconds',
    help: 'The longest turn of the event loop that served several requests, since the last scrape. Requests and connections that arrive meanwhile wait for its end.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(takeLongestTurn() / 1000)
    },
  })
  registry.registerMetric(build)
  registry.registerMetric(accepted)
  registry.registerMetric(turn)
  registry.registerMetric(connections)
  registry.registerMetric(limits)
  registry.registerMetric(waits)
  if (limiter.state() !== 'local') registry.registerMetric(redis)
}

/** Adds the metrics of the jobs, in the process that runs them. */
export function addJobs(registry: Registry, resources: Context['resources']): void {
  const jobs = new Counter({
    name: 'tollgate_job_runs_total',
    help: 'Runs of jobs on this node by task and result. A failed run is tried again.',
    labelNames: ['task', 'result'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const { task, result, n } of resources.of(JOB_RUNS).all()) this.inc({ task, result }, n)
    },
  })
  registry.registerMetric(jobs)
}

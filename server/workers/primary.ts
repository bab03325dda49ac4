import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, Registry } from 'prom-client'
import { addJobs } from '../api/gauges.ts'
import { COUNTS } from '../captcha/challenges/networks/counts.ts'
import { keepCounts } from '../captcha/challenges/networks/snapshot.ts'
import { OperatorError } from '../kit/error.ts'
import type { Service } from '../kit/service.ts'
import type { ToPrimary, ToWorker } from './shared/calls.ts'
import { createHeld } from './shared/held.ts'
import { closeUntaken } from './untaken.ts'

/** Between a worker's end and its replacement. */
const PAUSE_MS = 1000

/** The processes that answer requests. */
export type Workers = {
  /** Replaces them one after the other: each ends when its replacement is ready. */
  replace(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the processes that answer requests, on one port, and replaces those that end. Limits are counted in this process,
 * for all of them. Throws OperatorError if one does not start. `program`: the file that each runs.
 */
export async function startWorkers({ ctx, database, cluster: embedded }: Service, program: string): Promise<Workers> {
  const { config, log } = ctx
  let closing = false
  const address = { url: database.url, directUrl: database.directUrl }
  /** Those that are meant to run. */
  const running = new Set<Worker>()
  const metrics = new AggregatorRegistry()
  const jobs = new Registry()
  // they run in this process
  addJobs(jobs, ctx.resources)
  cluster.setupPrimary({ exec: program, args: [] })

  const send = (worker: Worker, message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message)
  }

  const counts = ctx.resources.of(COUNTS)
  /** Those that have been told what was before them, and get all later messages. */
  const told = new Set<Worker>()
  const tellAll = (message: ToWorker): number[] =>
    Array.from(told, (worker) => {
      send(worker, message)
      return worker.id
    })
  const held = createHeld(
    {
      workers: config.workers,
      attempts: ctx.attempts,
      add: (added) => counts.add(added),
      metrics: async () => `${await metrics.clusterMetrics()}\n${await jobs.metrics()}`,
    },
    tellAll,
  )
  function answer(worker: Worker, { id, calls }: Extract<ToPrimary, { type: 'calls' }>): void {
    held.answer(calls).then(
      (answers) => send(worker, { type: 'answers', id, answers }),
      (err: unknown) => log.error({ err }, 'a call of a worker failed'),
    )
  }

  /** A new worker, once it listens; undefined if it ended before. */
  function start(): Promise<Worker | undefined> {
    const worker = cluster.fork()
    closeUntaken(worker)
    return new Promise((resolve) => {
      worker.on('message', (message: ToPrimary) => {
        if (message.type === 'loaded') {
          told.add(worker)
          send(worker, {
            type: 'begin',
            database: address,
            embedded: embedded !== undefined,
            known: held.known(),
          })
        } else if (message.type === 'ready') {
          running.add(worker)
          resolve(worker)
        } else if (message.type === 'calls') answer(worker, message)
        else held.handed(worker.id, message)
      })
      worker.once('exit', (code, signal) => {
        resolve(undefined)
        told.delete(worker)
        held.ended(worker.id)
        if (!running.delete(worker) || closing) return
        log.error({ pid: worker.process.pid, code, signal }, 'a worker ended unexpectedly; another one is started')
        void restart()
      })
    })
  }

  async function restart(): Promise<void> {
    await sleep(PAUSE_MS)
    if (!closing && !(await start())) await restart()
  }

  const kept = await keepCounts(ctx)
  const first = await Promise.all(Array.from({ length: config.workers }, start))
  if (first.includes(undefined)) {
    await close()
    throw new OperatorError('A worker process did not start. Its message is above.')
  }

  async function close(): Promise<void> {
    closing = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const ended = workers.map((worker) => once(worker, 'exit'))
    for (const worker of workers) worker.process.kill('SIGTERM')
    await Promise.all(ended)
    await kept.close()
  }

  let replacing: Promise<void> = Promise.resolve()
  async function replaceAll(): Promise<void> {
    for (const worker of Array.from(running)) {
      if (closing) return
      if (!(await start())) {
        log.error('a new worker did not start; the remaining workers are kept')
        return
      }
      running.delete(worker)
      const ended = once(worker, 'exit')
      send(worker, { type: 'retire' })
      await ended
    }
    log.warn({ workers: running.size }, 'all workers were replaced')
  }
  return {
    replace: () => (replacing = replacing.then(replaceAll)),
    close,
  }
}

import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, Registry } from 'prom-client'
import { addJobs } from '../api/gauges.ts'
import { COUNTS } from '../captcha/challenges/networks/counts.ts'
import { keepCounts } from '../captcha/challenges/networks/snapshot.ts'
import { OperatorError } from '../kit/error.ts'
import type { Service } from '../kit/service.ts'
import { createCounting, type ToPrimary, type ToWorker } from './calls.ts'

/** Between a worker's end and its replacement. */
const PAUSE_MS = 1000

/** A retired worker that has not ended by then is killed: its clients have had the time of the longest request. */
const RETIRED_MS = 60_000

/** Not by `once` of node:events, which rejects if a message cannot be sent meanwhile. */
const exitOf = (worker: Worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve()))

/** The processes that answer requests. */
export type Workers = {
  /** Replaces them one after the other: each ends when its replacement is ready. */
  replace(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the processes that answer requests, on one port, and replaces those that end. Limits are counted in this process,
 * for all of them. Throws OperatorError if one refuses to start. `program`: the file that each runs.
 */
export async function startWorkers(
  { ctx, database, cluster: embedded }: Service,
  program: string,
  ending: AbortSignal,
): Promise<Workers> {
  const { config, log } = ctx
  let closing = false
  const address = { url: database.url, directUrl: database.directUrl }
  /** Those that are meant to run. */
  const running = new Set<Worker>()
  const metrics = new AggregatorRegistry()
  const jobs = new Registry()
  // they run in this process
  addJobs(jobs, ctx.resources)
  // each accepts connections itself, as soon as it can: otherwise this process would hand over one for each turn of a worker
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: program, args: [] })

  const send = (worker: Worker, message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message)
  }

  const counts = ctx.resources.of(COUNTS)
  const counting = createCounting(
    {
      limiter: ctx.limiter,
      attempts: ctx.attempts,
      bounds: ctx.bounds,
      add: (added) => counts.add(added),
      metrics: async () => `${await metrics.clusterMetrics()}\n${await jobs.metrics()}`,
    },
    (call, err) => log.error({ err, call }, 'a call of a process failed'),
  )

  /** A new worker, once it listens. Otherwise whether it `refused` to start, or was `killed` before. */
  function start(): Promise<Worker | 'refused' | 'killed'> {
    const worker = cluster.fork()
    return new Promise((resolve) => {
      worker.on('message', (message: ToPrimary) => {
        if (message.type === 'loaded')
          send(worker, { type: 'begin', database: address, embedded: embedded !== undefined })
        else if (message.type === 'calls') counting.answer(worker.id, message, (answers) => send(worker, answers))
        else {
          running.add(worker)
          resolve(worker)
        }
      })
      // a message to a process that has just ended, or a process that could not be started
      worker.on('error', (err) => {
        log.warn({ err, pid: worker.process.pid }, 'a process could not be reached')
        if (worker.process.pid === undefined) resolve('refused')
      })
      worker.once('exit', (code, signal) => {
        resolve(signal === null ? 'refused' : 'killed')
        counting.ended(worker.id)
        if (!running.delete(worker) || closing) return
        log.error({ pid: worker.process.pid, code, signal }, 'a process ended unexpectedly; another one is started')
        void restart()
      })
    })
  }

  async function restart(): Promise<void> {
    await sleep(PAUSE_MS)
    // if all are being replaced, one has been started in its place
    await replacing
    if (!closing && running.size < config.workers && typeof (await start()) === 'string') await restart()
  }

  /** One of the first, which is started again if it is killed, as later ones are. False if it refuses to start. */
  async function startFirst(): Promise<boolean> {
    const outcome = await start()
    if (outcome !== 'killed' || closing) return outcome !== 'refused'
    log.error('a process was killed before it was ready; another one is started')
    await sleep(PAUSE_MS)
    return closing || startFirst()
  }

  const kept = await keepCounts(ctx)
  const endAll = () => {
    closing = true
    for (const worker of present()) worker.process.kill('SIGTERM')
  }
  ending.addEventListener('abort', endAll)
  const first = await Promise.all(Array.from({ length: config.workers }, startFirst))
  ending.removeEventListener('abort', endAll)
  if (first.includes(false) || closing) {
    await close()
    ending.throwIfAborted()
    throw new OperatorError('A worker process did not start. Its message is above.')
  }

  function present(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  }

  async function close(): Promise<void> {
    closing = true
    const ended = present().map(exitOf)
    for (const worker of present()) worker.process.kill('SIGTERM')
    await Promise.all(ended)
    await kept.close()
  }

  async function retire(worker: Worker): Promise<void> {
    const ended = exitOf(worker)
    send(worker, { type: 'retire' })
    const stuck = setTimeout(() => worker.process.kill('SIGKILL'), RETIRED_MS)
    await ended
    clearTimeout(stuck)
  }

  let replacing: Promise<void> = Promise.resolve()
  async function replaceAll(): Promise<void> {
    for (const worker of Array.from(running)) {
      if (closing) return
      if (!running.has(worker)) continue
      if (typeof (await start()) === 'string') {
        log.error('a new process did not start; the remaining processes are kept')
        return
      }
      // it may have ended meanwhile, and is replaced
      if (running.delete(worker)) await retire(worker)
    }
    log.info({ processes: running.size }, 'all processes were replaced')
  }
  return {
    replace: () => (replacing = replacing.then(replaceAll)),
    close,
  }
}

import { afterSeconds } from '../delay.ts'
import { Failure } from '../failure.ts'
import { once } from '../once.ts'
import { download } from '../request.ts'
import type { EngineSource } from './source.ts'
import { type Command, type Report, runWorker, type Task } from './worker.ts'

/** Sends a puzzle to a worker. */
export type Assign = (task: Task) => void

/** Receives what a worker does. `onFailure` is called at most once, and never before `StartWorker` has returned. */
export interface Listener {
  onReady(assign: Assign): void
  /** The worker needs longer than usual to become ready. */
  onSlow(): void
  onReport(report: Extract<Report, { index: number }>): void
  readonly onFailure: (error: Failure) => void
}

/** Starts one worker for HashWX or for SHA-256; the returned function terminates it. */
export type StartWorker = (hashwx: boolean, listener: Listener) => () => void

/** What a Worker and a MessagePort have in common. */
interface Port {
  postMessage(command: Command): void
  onmessage: ((event: MessageEvent<Report>) => void) | null
}

/** Opens a port to a new worker. Returns it with the function that closes it; `fail` is called if the worker dies. */
type Transport = (fail: () => void) => [port: Port, close: () => void]

/** A content security policy can block a worker without an error event, so a worker counts as slow, and then as failed. */
const SLOW_SECONDS = 4
const FAILED_SECONDS = 16

/** Starts workers over `transport`, each with an engine from `source`. */
export function createStartWorker(
  transport: () => Promise<Transport>,
  source: (hashwx: boolean) => Promise<EngineSource>,
): StartWorker {
  return (hashwx, listener) => {
    let close: (() => void) | undefined
    let stopWaiting: (() => void) | undefined
    let ready = false
    let terminated = false
    const terminate = () => {
      terminated = true
      stopWaiting?.()
      close?.()
    }
    const fail = () => {
      if (terminated) return
      terminate()
      // The engine that is tried last needs nothing but its file.
      listener.onFailure(new Failure(ready ? 'unsupported' : 'network'))
    }
    const start = ([open, loaded]: [Transport, EngineSource]) => {
      if (terminated) return
      const [port, closePort] = open(fail)
      close = closePort
      const wait = () => {
        stopWaiting?.()
        stopWaiting = afterSeconds(SLOW_SECONDS, () => {
          stopWaiting = afterSeconds(FAILED_SECONDS, fail)
          listener.onSlow()
        })
      }
      wait()
      port.onmessage = ({ data }) => {
        if (data.kind === 'failed') return fail()
        // Devices that need memory end workers without an event, and each worker with a puzzle reports many times a second.
        wait()
        if (data.kind !== 'ready') return listener.onReport(data)
        ready = true
        listener.onReady((task) => port.postMessage({ kind: 'solve', ...task }))
      }
      port.postMessage({ kind: 'load', source: loaded })
    }
    Promise.all([transport(), source(hashwx)])
      .then(start)
      .catch(fail)
    return terminate
  }
}

/**
 * Web workers that run the component's own script at `url`. Browsers start workers only from the page's own origin, so
 * a script from another origin is read from the HTTP cache and started from a blob URL.
 */
export function webWorkers(url: string): () => Promise<Transport> {
  return once(async () => {
    const href = trustedUrl(new URL(url).origin === location.origin ? url : await createBlobUrl(url))
    let isBlocked = false
    return (fail) => {
      // The page's policy forbids workers, and the browser would report each attempt.
      if (isBlocked) throw new TypeError()
      // Unless the next line throws.
      isBlocked = true
      const worker = new Worker(href)
      isBlocked = false
      worker.onerror = () => {
        isBlocked = true
        fail()
      }
      return [worker, () => worker.terminate()]
    }
  })
}

/** The page's main thread, which needs no worker and solves in short slices. */
export async function mainThread(): Promise<Transport> {
  return () => {
    const { port1, port2 } = new MessageChannel()
    runWorker(port2)
    return [port1, () => port1.postMessage({ kind: 'stop' })]
  }
}

declare const trustedTypes: {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string }
}

/** A page that enforces Trusted Types starts workers only from URLs made by a policy that it allows by name. */
function trustedUrl(url: string): string {
  try {
    return trustedTypes.createPolicy('tollgate', { createScriptURL: (same) => same }).createScriptURL(url)
  } catch {
    // No Trusted Types, or the policy is not allowed: the browser decides about the plain URL.
    return url
  }
}

async function createBlobUrl(url: string): Promise<string> {
  return URL.createObjectURL(await download(url, (reply) => reply.blob(), 'force-cache'))
}

import { Failure } from './failure.ts'
import type { Report, Task } from './serve.ts'

/** Gives a hand a puzzle to solve. */
export type Give = (task: Task) => void

/** Where a hand that solves puzzles reports. `lost` at most once, and never before `Hire` has returned. */
export interface Desk {
  ready(give: Give): void
  report(report: Exclude<Report, { kind: 'ready' }>): void
  readonly lost: (why: Failure) => void
}

/** Engages one hand; the returned function sends it away. */
export type Hire = (desk: Desk) => () => void

/** What a worker and a MessagePort have in common. */
interface Line {
  postMessage(message: Task | 'stop'): void
  onmessage: ((event: MessageEvent<Report>) => void) | null
}

/** A worker that a content policy silently keeps from starting must not keep the visitor waiting. */
const READY_MS = 4_000

/**
 * Hires workers that run the file at `url`. A browser starts workers only from the page's own origin, so a file of
 * another is fetched once and started from a blob. `fetchAhead` does that ahead of need.
 */
export function createWorkerHire(url: string): { hire: Hire; fetchAhead: () => void } {
  const sameOrigin = new URL(url).origin === location.origin
  let fetched: Promise<string> | undefined
  const locate = (): Promise<string> => {
    fetched ??= sameOrigin ? Promise.resolve(url) : fetchAsBlob(url)
    fetched.catch(() => {
      fetched = undefined
    })
    return fetched
  }
  const hire: Hire = (desk) => {
    let worker: Worker | undefined
    let dismissed = false
    const dismiss = () => {
      dismissed = true
      clearTimeout(timer)
      worker?.terminate()
    }
    const lose = () => {
      if (dismissed) return
      dismiss()
      desk.lost(new Failure('unsupported'))
    }
    const timer = setTimeout(lose, READY_MS)
    const start = (href: string) => {
      if (dismissed) return
      worker = new Worker(href, { type: 'module' })
      worker.onerror = lose
      connect(worker, desk, () => clearTimeout(timer))
    }
    locate().then(start).catch(lose)
    return dismiss
  }
  return { hire, fetchAhead: () => void locate().catch(() => undefined) }
}

/** Hires the page's main thread, which needs no worker and works in slices between its other duties. */
export function createMainThreadHire(url: string): Hire {
  return (desk) => {
    const { port1, port2 } = new MessageChannel()
    connect(port1, desk)
    const load: Promise<typeof import('./solver.worker.ts')> = import(/* @vite-ignore */ url)
    const lose = (error: unknown) => {
      // What could not be fetched may be fetched later; what could not be understood, never.
      desk.lost(new Failure(error instanceof TypeError ? 'network' : 'unsupported'))
    }
    load.then(({ serveAt }) => serveAt(port2)).catch(lose)
    return () => {
      port1.postMessage('stop')
      port1.onmessage = null
    }
  }
}

function connect(line: Line, desk: Desk, onReady?: () => void): void {
  line.onmessage = ({ data }) => {
    if (data.kind !== 'ready') return desk.report(data)
    onReady?.()
    desk.ready((task) => line.postMessage(task))
  }
}

async function fetchAsBlob(url: string): Promise<string> {
  const reply = await fetch(url, { credentials: 'omit' })
  if (!reply.ok) throw new TypeError(`${reply.status}`)
  return URL.createObjectURL(new Blob([await reply.text()], { type: 'text/javascript' }))
}

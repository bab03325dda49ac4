import { Failure } from '../failure.ts'
import type { Order, Report, Task } from './serve.ts'
import { download, type Tool } from './tool.ts'

/** Gives a hand a puzzle to solve. */
export type Give = (task: Task) => void

/** Where a hand that solves puzzles reports. `lost` at most once, and never before `Hire` has returned. */
export interface Desk {
  ready(give: Give): void
  report(report: Extract<Report, { index: number }>): void
  readonly lost: (why: Failure) => void
}

/** Engages one hand; the returned function sends it away. */
export type Hire = (desk: Desk) => () => void

/** What a worker and a MessagePort have in common. */
interface Line {
  postMessage(order: Order): void
  onmessage: ((event: MessageEvent<Report>) => void) | null
}

/** A worker that a content policy silently keeps from starting must not keep the visitor waiting. */
const READY_MS = 4_000

/**
 * Hires workers that run the file at `url`. A browser starts workers only from the page's own origin, so a file of
 * another is fetched once and started from a blob. `fetchAhead` gets both file and tool ahead of need.
 */
export function createWorkerHire(url: string, tool: () => Promise<Tool>): { hire: Hire; fetchAhead: () => void } {
  const sameOrigin = new URL(url).origin === location.origin
  const locate = once(() => (sameOrigin ? Promise.resolve(url) : fetchAsBlob(url)))
  const equip = () => Promise.all([locate(), tool()])
  const hire: Hire = (desk) => {
    let worker: Worker | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
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
    const start = ([href, found]: [string, Tool]) => {
      if (dismissed) return
      timer = setTimeout(lose, READY_MS)
      worker = new Worker(href, { type: 'module' })
      worker.onerror = lose
      connect(worker, found, desk, lose, () => clearTimeout(timer))
    }
    equip().then(start).catch(lose)
    return dismiss
  }
  return { hire, fetchAhead: () => void equip().catch(() => undefined) }
}

/** Hires the page's main thread, which needs no worker and works in slices between its other duties. */
export function createMainThreadHire(url: string, tool: () => Promise<Tool>): Hire {
  return (desk) => {
    const { port1, port2 } = new MessageChannel()
    const load: Promise<typeof import('./worker.ts')> = import(/* @vite-ignore */ url)
    const lose = (error?: unknown) => {
      // What could not be fetched may be fetched later; what could not be understood, never.
      desk.lost(new Failure(error instanceof TypeError ? 'network' : 'unsupported'))
    }
    const start = ([{ serveAt }, found]: [Awaited<typeof load>, Tool]) => {
      serveAt(port2)
      connect(port1, found, desk, lose)
    }
    Promise.all([load, tool()]).then(start).catch(lose)
    return () => {
      port1.postMessage({ kind: 'stop' })
      port1.onmessage = null
    }
  }
}

/** Calls `task` when its value is first asked for, and again only if it failed. */
export function once<T>(task: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= task()
    value.catch(() => {
      value = undefined
    })
    return value
  }
}

function connect(line: Line, tool: Tool, desk: Desk, lose: () => void, onReady?: () => void): void {
  line.onmessage = ({ data }) => {
    if (data.kind === 'failed') return lose()
    if (data.kind !== 'ready') return desk.report(data)
    onReady?.()
    desk.ready((task) => line.postMessage({ kind: 'solve', ...task }))
  }
  line.postMessage({ kind: 'begin', tool })
}

async function fetchAsBlob(url: string): Promise<string> {
  const reply = await download(url)
  return URL.createObjectURL(new Blob([await reply.text()], { type: 'text/javascript' }))
}

import { download } from '../download.ts'
import { Failure } from '../failure.ts'
import { type Order, type Report, serve, type Task } from './serve.ts'
import type { Tool } from './tool.ts'

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

/** Opens a line to a hand and returns what closes it; `lose` is to be called if the hand dies. */
type Place = (lose: () => void) => [line: Line, close: () => void]

/** A worker that a content policy silently keeps from starting must not keep the visitor waiting. */
const READY_MS = 4_000

/** Hires hands at a place, each with the tool. */
export function createHire(place: () => Promise<Place>, tool: () => Promise<Tool>): Hire {
  return (desk) => {
    let close: (() => void) | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const dismiss = () => {
      gone = true
      clearTimeout(timer)
      close?.()
    }
    const lose = (error?: unknown) => {
      if (gone) return
      dismiss()
      // What could not be fetched may be fetched later; what could not be understood, never.
      desk.lost(new Failure(error instanceof TypeError ? 'network' : 'unsupported'))
    }
    const begin = ([open, found]: [Place, Tool]) => {
      if (gone) return
      const [line, closeLine] = open(lose)
      close = closeLine
      timer = setTimeout(lose, READY_MS)
      line.onmessage = ({ data }) => {
        if (data.kind === 'failed') return lose()
        if (data.kind !== 'ready') return desk.report(data)
        clearTimeout(timer)
        desk.ready((task) => line.postMessage({ kind: 'solve', ...task }))
      }
      line.postMessage({ kind: 'begin', tool: found })
    }
    Promise.all([place(), tool()]).then(begin).catch(lose)
    return dismiss
  }
}

/**
 * Workers that run the component's own script, at `url`. A browser starts workers only from the page's own origin, so
 * that of another is taken from the browser's cache, as it was when the page loaded it, and started from a blob.
 */
export function inWorkers(url: string): () => Promise<Place> {
  return once(async () => {
    const href = trust(new URL(url).origin === location.origin ? url : await copyOf(url))
    return (lose) => {
      const worker = new Worker(href)
      worker.onerror = lose
      return [worker, () => worker.terminate()]
    }
  })
}

/** The page's main thread, which needs no worker and works in slices between its other duties. */
export async function onMainThread(): Promise<Place> {
  return () => {
    const { port1, port2 } = new MessageChannel()
    serve(port2)
    return [port1, () => port1.postMessage({ kind: 'stop' })]
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

declare const trustedTypes: {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string }
}

/** A page that enforces Trusted Types has a worker started from what a policy made that it allows by name. */
function trust(url: string): string {
  try {
    return trustedTypes.createPolicy('tollgate', { createScriptURL: (same) => same }).createScriptURL(url)
  } catch {
    // Without Trusted Types, or not allowed: then the browser decides about the plain address.
    return url
  }
}

async function copyOf(url: string): Promise<string> {
  return URL.createObjectURL(await (await download(url, 'force-cache')).blob())
}

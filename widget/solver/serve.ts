import type { Engine } from './engine.ts'
import { type Tool, takeUp } from './tool.ts'

/** One puzzle; `seed` is 32 hex digits. */
export interface Task {
  readonly index: number
  readonly seed: string
  readonly target: number
}

export type Order =
  | { readonly kind: 'begin'; readonly tool: Tool }
  | ({ readonly kind: 'solve' } & Task)
  | { readonly kind: 'stop' }

export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'tried'; readonly index: number; readonly tries: number }
  | { readonly kind: 'found'; readonly index: number; readonly nonce: number }

/** A worker's own scope, or one end of a MessageChannel. */
export interface Port {
  postMessage(message: Report): void
  onmessage: ((event: MessageEvent<Order>) => void) | null
}

/** Half a frame at most: the same code serves on a page's main thread, which has to paint and listen in between. */
const SLICE_MS = 8
const REPORT_MS = 50
const LEAST_TRIES = 64
/** Where clocks are kept coarse on purpose, the length of a slice cannot be measured. */
const MOST_TRIES = 65_536

/** Solves the tasks that arrive at `port`, one after the other and in slices, until told to stop. */
export function serve(port: Port, useTool: (tool: Tool) => Promise<Engine> = takeUp): void {
  const turns = new MessageChannel()
  let tries = LEAST_TRIES
  let work = Promise.resolve()
  let engine: Engine

  port.onmessage = ({ data: order }) => {
    switch (order.kind) {
      case 'begin':
        useTool(order.tool).then(begin, () => port.postMessage({ kind: 'failed' }))
        break
      case 'solve':
        work = work.then(() => solve(order))
        break
      case 'stop':
        // The turn that is waited for never comes, so the work is never taken up again.
        turns.port1.close()
    }
  }

  function begin(made: Engine): void {
    engine = made
    port.postMessage({ kind: 'ready' })
  }

  async function solve({ index, seed, target }: Task): Promise<void> {
    engine.prepare(seed, index, target)
    let reported = performance.now()
    let tried = 0
    for (;;) {
      const begun = performance.now()
      const nonce = engine.search(tried, tries)
      if (nonce >= 0) {
        port.postMessage({ kind: 'found', index, nonce })
        return
      }
      tried += tries
      const now = performance.now()
      if (now - begun < SLICE_MS / 2) tries = Math.min(tries * 2, MOST_TRIES)
      else if (now - begun > SLICE_MS) tries = Math.max(tries / 2, LEAST_TRIES)
      if (now - reported >= REPORT_MS) {
        port.postMessage({ kind: 'tried', index, tries: tried })
        reported = now
      }
      await nextTurn()
    }
  }

  /** Lets everything else that waits have its turn. Unlike a timer it is neither clamped to 4 ms nor throttled. */
  function nextTurn(): Promise<unknown> {
    return new Promise((resolve) => {
      turns.port1.onmessage = resolve
      turns.port2.postMessage(null)
    })
  }
}

import type { Engine } from './engine.ts'
import { type EngineSource, loadEngine } from './source.ts'

/** One puzzle of a challenge; the other properties are those of solve.ts. */
export interface Task {
  readonly index: number
  readonly seed: string
  readonly target: number
  readonly span: number | undefined
}

/** Messages from the page to a worker. */
export type Command =
  | { readonly kind: 'load'; readonly source: EngineSource }
  | ({ readonly kind: 'solve' } & Task)
  | { readonly kind: 'stop' }

/** Messages from a worker to the page. `slow`: the search for this nonce was too slow for HashWX. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'tried'; readonly index: number; readonly tries: number }
  | { readonly kind: 'found'; readonly index: number; readonly nonce: number; readonly slow: boolean }

/** A worker's global scope, or one end of a MessageChannel. */
export interface WorkerPort {
  postMessage(message: Report): void
  onmessage: ((event: MessageEvent<Command>) => void) | null
}

/** At most half a frame: the same code runs on the page's main thread, which must paint and handle input in between. */
const SLICE_MS = 8
const REPORT_MS = 50
const MIN_TRIES = 64
/** An upper limit, because some browsers reduce the resolution of clocks, so a slice's duration cannot be measured. */
const MAX_TRIES = 65_536

/**
 * A worker that tries fewer hashes of HashWX per millisecond is too slow for it. A slow phone is assumed to try 500 of SHA-256,
 * of which one of HashWX counts as 16, so this is a third of 31. In-order cores and 32-bit browsers, of which none was measured,
 * may be this slow at HashWX but not at SHA-256.
 */
const MIN_HASHES_PER_MS = 10
/** A shorter search says nothing: its first calls include the compilation. */
const MIN_SAMPLE_MS = 100

/** Solves the tasks that arrive at `port`, one at a time and in slices, until a `stop` command. */
export function runWorker(port: WorkerPort, load: (source: EngineSource) => Promise<Engine> = loadEngine): void {
  const channel = new MessageChannel()
  let tries = MIN_TRIES
  let queue = Promise.resolve()
  let engine: Engine

  port.onmessage = ({ data: command }) => {
    switch (command.kind) {
      case 'load':
        load(command.source).then(setEngine, fail)
        break
      case 'solve':
        queue = queue.then(() => solve(command)).catch(fail)
        break
      case 'stop':
        // The message that `yieldToEventLoop` awaits never arrives, so the current task ends here.
        channel.port1.close()
    }
  }

  function setEngine(loaded: Engine): void {
    engine = loaded
    port.postMessage({ kind: 'ready' })
  }

  function fail(): void {
    port.postMessage({ kind: 'failed' })
  }

  async function solve({ index, seed, target, span }: Task): Promise<void> {
    await engine.prepare(seed, index, target, span)
    let tried = 0
    let spent = 0
    let reported = 0
    for (;;) {
      const startedAt = performance.now()
      const nonce = engine.search(tried, tries)
      const took = performance.now() - startedAt
      spent += took
      if (nonce >= 0) {
        const slow = spent > MIN_SAMPLE_MS && nonce < spent * MIN_HASHES_PER_MS
        port.postMessage({ kind: 'found', index, nonce, slow })
        return
      }
      tried += tries
      if (took < SLICE_MS / 2) tries = Math.min(tries * 2, MAX_TRIES)
      else if (took > SLICE_MS) tries = Math.max(tries / 2, MIN_TRIES)
      if (spent - reported >= REPORT_MS) {
        port.postMessage({ kind: 'tried', index, tries: tried })
        reported = spent
      }
      await yieldToEventLoop()
    }
  }

  /** Lets other queued tasks run. Unlike a timer, a message is neither clamped to 4 ms nor throttled. */
  function yieldToEventLoop(): Promise<unknown> {
    return new Promise((resolve) => {
      channel.port1.onmessage = resolve
      channel.port2.postMessage(null)
    })
  }
}

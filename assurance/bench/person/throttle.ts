import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Gives each thread of a process at most one part in `rate` of a core until the returned function is called. Chromium's own
 * throttling slows down the main thread of a page only and refuses its workers, where the component computes. Linux only.
 */
export async function throttle(pid: number, rate: number): Promise<() => void> {
  if (rate === 1) return () => {}
  const flags = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL('dutyCycle.js', import.meta.url), { workerData: { pid, rate, flags } })
  await once(worker, 'message')
  const end = () => {
    process.off('exit', end)
    Atomics.store(flags, 0, 1)
    Atomics.notify(flags, 0)
    // until the process runs again: the end of this one would leave it stopped
    Atomics.wait(flags, 1, 0)
  }
  process.on('exit', end)
  return end
}

/** Runs a loop in a worker and in the page: nanoseconds of a turn in each. */
const LOOPS = `(async (length) => {
  const loop = (length) => {
    const begun = performance.now()
    let x = 1
    for (let i = 0; i < length; i++) x = (Math.imul(x, 1103515245) + 12345) | 0
    // the result is used, so that the loop is not removed
    return (1e6 * (performance.now() - begun)) / length + (x === 0.5 ? 1 : 0)
  }
  const source = 'const loop = ' + loop + '; onmessage = ({ data }) => postMessage(loop(data))'
  const worker = new Worker(URL.createObjectURL(new Blob([source])))
  const inWorker = (length) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.postMessage(length)
  })
  // compiles it
  for (let i = 0; i < 3; i++) await inWorker(1e6), loop(1e6)
  const result = { worker: await inWorker(length), main: loop(length) }
  worker.terminate()
  return result
})`

/** How many times as long a loop takes in a worker and on the main thread of a tab whose process is `pid`. */
export async function measureThrottle(
  evaluate: (script: string) => Promise<unknown>,
  pid: number,
  rate: number,
): Promise<{ rate: number; worker: number; main: number }> {
  const run = async (at: number, length: number) => {
    const stop = await throttle(pid, at)
    try {
      return (await evaluate(`${LOOPS}(${length})`)) as { worker: number; main: number }
    } finally {
      stop()
    }
  }
  const unthrottled: { worker: number; main: number }[] = []
  // short ones, of which some are not interrupted by other processes
  for (let i = 0; i < 10; i++) unthrottled.push(await run(1, 5e6))
  const slow = await run(rate, 5e7)
  const times = (thread: 'worker' | 'main') => slow[thread] / Math.min(...unthrottled.map((each) => each[thread]))
  return { rate, worker: times('worker'), main: times('main') }
}

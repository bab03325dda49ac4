// Runs in a thread of its own: stops a process again and again, so that none of its threads gets more than one part in `rate` of a core.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

/** How long the process runs before its threads are looked at. */
const RUN_MS = 1
/** What was stopped too long is made up for, but not the waits of a busy machine. */
const MAX_CREDIT_MS = 5
/** The first flag ends it, the second says that it has ended. */
const { pid, rate, flags } = workerData
const buffer = Buffer.alloc(128)
/** By thread ID: its file in /proc, and its milliseconds on a core when that was read last. */
const threads = new Map()

function signal(id, name) {
  try {
    process.kill(id, name)
  } catch {
    // it has ended
  }
}

/** The thread that was on a core longest since the last call, and for how many milliseconds. */
function busiest() {
  let most = { id: pid, used: 0 }
  try {
    for (const name of readdirSync(`/proc/${pid}/task`)) {
      const thread = threads.get(name) ?? { file: openSync(`/proc/${pid}/task/${name}/schedstat`), total: undefined }
      threads.set(name, thread)
      const total = Number.parseInt(buffer.latin1Slice(0, readSync(thread.file, buffer, 0, 128, 0)), 10) / 1e6
      const used = total - (thread.total ?? total)
      thread.total = total
      if (used > most.used) most = { id: Number(name), used }
    }
  } catch {
    // a thread has ended
  }
  return most
}

try {
  // of this thread only, so that it runs in time beside threads that use all cores
  setPriority(0, -20)
} catch {
  // not permitted: the process is stopped later, and then for longer
}
let { id } = busiest()
let owed = 0
let runsFrom = performance.now()
parentPort.postMessage('ready')
while (Atomics.wait(flags, 0, 0, RUN_MS) === 'timed-out') {
  // to the thread that runs: the one that gets the signal has to be on a core before the process stops
  signal(id, 'SIGSTOP')
  const stopsFrom = performance.now()
  let used = 0
  ;({ id, used } = busiest())
  owed += Math.max(0, used * rate - (stopsFrom - runsFrom))
  const left = stopsFrom + owed - performance.now()
  if (left > 0) Atomics.wait(flags, 0, 0, left)
  signal(pid, 'SIGCONT')
  runsFrom = performance.now()
  owed = Math.max(owed - (runsFrom - stopsFrom), -MAX_CREDIT_MS)
}
Atomics.store(flags, 1, 1)
Atomics.notify(flags, 1)
for (const { file } of threads.values()) closeSync(file)

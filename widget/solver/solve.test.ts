import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Failure } from '../failure.ts'
import type { Hire } from './hire.ts'
import { createScriptEngine } from './script.ts'
import { type Report, serve } from './serve.ts'
import { createSolver, type Hiring, type Puzzles } from './solve.ts'

const ignore = () => undefined

/** A hand in this very thread, as the main thread's is in a browser. Counts the tasks that it was given. */
function createHire(
  count = { tasks: 0, dismissed: 0 },
  onTask: () => void = ignore,
  takeUp = async () => createScriptEngine(),
): Hire {
  return (desk) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<Report>) => {
      if (data.kind === 'failed') return desk.lost(new Failure('unsupported'))
      if (data.kind !== 'ready') return desk.report(data)
      desk.ready((task) => {
        count.tasks += 1
        port1.postMessage({ kind: 'solve', ...task })
        onTask()
      })
    }
    serve(port2, takeUp)
    port1.postMessage({ kind: 'begin', tool: '' })
    return () => {
      count.dismissed += 1
      port1.postMessage({ kind: 'stop' })
      port1.onmessage = null
      port1.close()
    }
  }
}

/** A hand that takes what it is given and then dies. */
const unreliable: Hire = (desk) => {
  desk.ready(() => undefined)
  const timer = setTimeout(() => desk.lost(new Failure('unsupported')), 5)
  return () => clearTimeout(timer)
}

const absent: Hire = (desk) => {
  queueMicrotask(() => desk.lost(new Failure('unsupported')))
  return () => undefined
}

function hiring(parts: Partial<Hiring>): Hiring {
  return { workers: 3, hireWorker: createHire(), hireMainThread: absent, fetchAhead: () => undefined, ...parts }
}

function puzzles(hashesEach = 300): Puzzles {
  return { seed: randomBytes(16).toString('hex'), count: 16, target: Math.floor(2 ** 32 / hashesEach) }
}

function areSolved({ seed, target }: Puzzles, nonces: Uint32Array): boolean {
  return [...nonces].every((nonce, index) => {
    const message = Buffer.alloc(24)
    message.write(seed, 'hex')
    message.writeUInt32BE(index, 16)
    message.writeUInt32BE(nonce, 20)
    return createHash('sha256').update(message).digest().readUInt32BE(0) < target
  })
}

const never = new AbortController().signal

describe('the solver', () => {
  it('gives one valid nonce per puzzle, in order, whoever worked on it', async () => {
    const task = puzzles()
    const nonces = await createSolver(hiring({})).solve(task, ignore, never)
    expect(nonces).toHaveLength(task.count)
    expect(areSolved(task, nonces)).toBe(true)
  })

  it('shares the puzzles out and sends everybody away at the end', async () => {
    const count = { tasks: 0, dismissed: 0 }
    await createSolver(hiring({ hireWorker: createHire(count) })).solve(puzzles(), ignore, never)
    expect(count).toEqual({ tasks: 16, dismissed: 3 })
  })

  it('tells a progress that never falls and ends with 1', async () => {
    const ratios: number[] = []
    await createSolver(hiring({})).solve(puzzles(), (ratio) => ratios.push(ratio), never)
    expect(ratios.every((ratio, i) => ratio >= (ratios[i - 1] ?? 0))).toBe(true)
    expect(ratios.at(-1)).toBe(1)
  })

  it('falls back to the main thread where no worker can be had', async () => {
    const task = puzzles()
    const solver = createSolver(hiring({ hireWorker: absent, hireMainThread: createHire() }))
    expect(areSolved(task, await solver.solve(task, ignore, never))).toBe(true)
  })

  it('does the work of a worker that died with the others', async () => {
    const task = puzzles()
    const reliable = createHire()
    let hired = 0
    const hireWorker: Hire = (desk) => (hired++ === 0 ? unreliable : reliable)(desk)
    expect(areSolved(task, await createSolver(hiring({ hireWorker })).solve(task, ignore, never))).toBe(true)
  })

  it('falls back to the main thread where workers cannot take up their tool', async () => {
    const task = puzzles()
    const hireWorker = createHire(undefined, ignore, () => Promise.reject(new TypeError('forbidden')))
    const solver = createSolver(hiring({ hireWorker, hireMainThread: createHire() }))
    expect(areSolved(task, await solver.solve(task, ignore, never))).toBe(true)
  })

  it('does the work of workers that all died on the main thread', async () => {
    const task = puzzles()
    const solver = createSolver(hiring({ hireWorker: unreliable, hireMainThread: createHire() }))
    expect(areSolved(task, await solver.solve(task, ignore, never))).toBe(true)
  })

  it('says why where nothing can work', async () => {
    const solver = createSolver(hiring({ hireWorker: absent }))
    await expect(solver.solve(puzzles(), ignore, never)).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('stops all hands when cancelled, and takes the next task', async () => {
    const count = { tasks: 0, dismissed: 0 }
    const cancel = new AbortController()
    const hireWorker = createHire(count, () => cancel.abort())
    const solver = createSolver(hiring({ hireWorker }))
    const hopeless = solver.solve({ ...puzzles(), target: 1 }, ignore, cancel.signal)
    await expect(hopeless).rejects.toThrow('aborted')
    expect(count.dismissed).toBe(3)
    const task = puzzles()
    expect(areSolved(task, await solver.solve(task, ignore, never))).toBe(true)
  })

  it('goes on where it was interrupted: what was found is not looked for again', async () => {
    const task = puzzles()
    const ratios: number[] = []
    const cancel = new AbortController()
    const solver = createSolver(hiring({ workers: 1 }))
    const onProgress = (ratio: number) => {
      ratios.push(ratio)
      if (ratio > 0.5) cancel.abort()
    }
    await expect(solver.solve(task, onProgress, cancel.signal)).rejects.toThrow('aborted')
    const before = ratios.length
    expect(areSolved(task, await solver.solve(task, (ratio) => ratios.push(ratio), never))).toBe(true)
    expect(ratios[before]).toBeGreaterThan(0.5)
    expect(await solver.solve(task, ignore, never)).toHaveLength(task.count)
  })

  it('hires nobody for a task that was cancelled while it waited for its turn', async () => {
    const count = { tasks: 0, dismissed: 0 }
    const solver = createSolver(hiring({ hireWorker: createHire(count) }))
    await expect(solver.solve(puzzles(), ignore, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(count).toEqual({ tasks: 0, dismissed: 0 })
  })

  it('hires no more hands than there are puzzles', async () => {
    const count = { tasks: 0, dismissed: 0 }
    const solver = createSolver(hiring({ workers: 8, hireWorker: createHire(count) }))
    await solver.solve({ ...puzzles(), count: 2 }, ignore, never)
    expect(count.dismissed).toBe(2)
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { Failure } from '../failure.ts'
import type { Engine } from './engine.ts'
import type { StartWorker } from './pool.ts'
import { createScriptEngine } from './script.ts'
import { createSolver, type Puzzles, type WorkerPool } from './solve.ts'
import { type Report, runWorker } from './worker.ts'

const ignore = () => undefined

/** A worker in the current thread, like the main thread in a browser. Counts its tasks. */
function createWorker(
  count = { tasks: 0, terminated: 0 },
  onTask: () => void = ignore,
  loadEngine = async () => createScriptEngine(),
): StartWorker {
  return (_hashwx, listener) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<Report>) => {
      if (data.kind === 'failed') return listener.onFailure(new Failure('unsupported'))
      if (data.kind !== 'ready') return listener.onReport(data)
      listener.onReady((task) => {
        count.tasks += 1
        port1.postMessage({ kind: 'solve', ...task })
        onTask()
      })
    }
    runWorker(port2, loadEngine)
    port1.postMessage({ kind: 'load', source: '' })
    return () => {
      count.terminated += 1
      port1.postMessage({ kind: 'stop' })
      port1.onmessage = null
      port1.close()
    }
  }
}

/** A worker that accepts a task and then fails. */
const unreliable: StartWorker = (_hashwx, listener) => {
  listener.onReady(() => undefined)
  const timer = setTimeout(() => listener.onFailure(new Failure('unsupported')), 5)
  return () => clearTimeout(timer)
}

const absent: StartWorker = (_hashwx, listener) => {
  queueMicrotask(() => listener.onFailure(new Failure('unsupported')))
  return () => undefined
}

function pool(parts: Partial<WorkerPool>): WorkerPool {
  return { workers: 3, ways: [createWorker()], preload: () => undefined, ...parts }
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

async function expectSolved(workers: WorkerPool, task = puzzles()): Promise<void> {
  const nonces = await createSolver(workers).solve(task, ignore, never)
  expect(nonces).toHaveLength(task.count)
  expect(areSolved(task, nonces)).toBe(true)
}

describe('the solver', () => {
  it('returns one valid nonce per puzzle, in order', () => expectSolved(pool({})))

  it('distributes the puzzles and terminates all workers at the end', async () => {
    const count = { tasks: 0, terminated: 0 }
    await createSolver(pool({ ways: [createWorker(count)] })).solve(puzzles(), ignore, never)
    expect(count).toEqual({ tasks: 16, terminated: 3 })
  })

  it('reports progress that never decreases and ends with 1', async () => {
    const ratios: number[] = []
    await createSolver(pool({})).solve(puzzles(), (ratio) => ratios.push(ratio), never)
    expect(ratios.every((ratio, i) => ratio >= (ratios[i - 1] ?? 0))).toBe(true)
    expect(ratios.at(-1)).toBe(1)
  })

  it('gives the tasks of a failed worker to the others', async () => {
    let failed: (() => void) | undefined
    // once another worker is ready, which can take over
    const reliable = createWorker(undefined, () => queueMicrotask(() => failed?.()))
    const failing: StartWorker = (_hashwx, listener) => {
      failed = () => {
        failed = undefined
        listener.onFailure(new Failure('unsupported'))
      }
      listener.onReady(ignore)
      return ignore
    }
    let started = 0
    const startWorker: StartWorker = (...given) => (started++ === 0 ? failing : reliable)(...given)
    await expectSolved(pool({ ways: [startWorker] }))
  })

  it.each([
    ['no worker starts', absent],
    [
      'workers cannot load their engine',
      createWorker(undefined, ignore, () => Promise.reject(new TypeError('forbidden'))),
    ],
    ['all workers fail', unreliable],
  ])('falls back to the main thread if %s', async (_, startWorker) => {
    await expectSolved(pool({ ways: [startWorker, createWorker()] }))
  })

  it('starts the others when the first worker is ready, and only one if it fails', async () => {
    let started = 0
    const failing: StartWorker = (...given) => {
      started += 1
      return absent(...given)
    }
    await expectSolved(pool({ workers: 8, ways: [failing, createWorker()] }))
    expect(started).toBe(1)
  })

  /** A worker that becomes ready when `release` is called. */
  function createSlow(count: { tasks: number; terminated: number }) {
    let release: () => void = ignore
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const start: StartWorker = (hashwx, listener) => {
      queueMicrotask(() => listener.onSlow())
      const load = () => released.then(createScriptEngine)
      return createWorker(count, ignore, load)(hashwx, listener)
    }
    return { start, release }
  }

  it('solves on the main thread meanwhile if workers start slowly', async () => {
    const count = { tasks: 0, terminated: 0 }
    const { start } = createSlow(count)
    await expectSolved(pool({ ways: [start, createWorker()] }))
    expect(count).toEqual({ tasks: 0, terminated: 1 })
  })

  it.each([
    ['goes on', createWorker({ tasks: 0, terminated: 0 })],
    ['fails', absent],
  ])('lets slow workers join when they are ready, while the main thread %s', async (_, mainThread) => {
    const count = { tasks: 0, terminated: 0 }
    const { start, release } = createSlow(count)
    const last: StartWorker = (...given) => {
      release()
      return mainThread(...given)
    }
    await expectSolved(pool({ ways: [start, last, createWorker()] }), { ...puzzles(3_000), count: 64 })
    expect(count.tasks).toBeGreaterThan(0)
  })

  it.each([
    ['workers are slow', [createSlow({ tasks: 0, terminated: 0 }).start, absent, absent]],
    ['workers do not start', [absent, unreliable, absent]],
  ])('rejects with the reason if every way fails: %s', async (_, ways) => {
    const solved = createSolver(pool({ ways })).solve(puzzles(), ignore, never)
    await expect(solved).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('terminates all workers when aborted, and solves the next puzzles', async () => {
    const count = { tasks: 0, terminated: 0 }
    const cancel = new AbortController()
    const startWorker = createWorker(count, () => cancel.abort())
    const solver = createSolver(pool({ ways: [startWorker] }))
    const hopeless = solver.solve({ ...puzzles(), target: 1 }, ignore, cancel.signal)
    await expect(hopeless).rejects.toThrow('aborted')
    expect(count.terminated).toBe(3)
    const task = puzzles()
    expect(areSolved(task, await solver.solve(task, ignore, never))).toBe(true)
  })

  it('starts no worker for a call that was aborted while it waited', async () => {
    const count = { tasks: 0, terminated: 0 }
    const solver = createSolver(pool({ ways: [createWorker(count)] }))
    await expect(solver.solve(puzzles(), ignore, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(count).toEqual({ tasks: 0, terminated: 0 })
  })

  describe('with puzzles of HashWX', () => {
    const hashwx = (count: number, hashesEach?: number) => ({ ...puzzles(hashesEach), count, span: 2 ** 18 })

    /** An engine that is slow from one puzzle on. A slice has at least 64 hashes, so the first one takes long enough to be judged. */
    function slowFrom(puzzle: number): () => Promise<Engine> {
      return async () => {
        const engine = createScriptEngine()
        let prepared = 0
        return {
          prepare: (...given) => {
            prepared += 1
            return engine.prepare(...given)
          },
          search: (start, tries) => {
            if (prepared >= puzzle) block(tries * 2)
            return engine.search(start, tries)
          },
        }
      }
    }

    function block(ms: number): void {
      const until = performance.now() + ms
      while (performance.now() < until);
    }

    const busyPage = async (): Promise<Engine> => {
      const engine = createScriptEngine()
      return {
        prepare: (...given) => engine.prepare(...given),
        search: (start, tries) => {
          queueMicrotask(() => block(150))
          return engine.search(start, tries)
        },
      }
    }

    const solve = (task: Puzzles, loadEngine: () => Promise<Engine>, hidden = false) => {
      vi.stubGlobal('document', { hidden })
      const ways = [createWorker(undefined, ignore, loadEngine)]
      return createSolver(pool({ workers: 1, ways })).solve(task, ignore, never)
    }

    it('rejects if the first one shows that the device is slow', async () => {
      await expect(solve(hashwx(16), slowFrom(1))).rejects.toMatchObject({ code: 'unsupported' })
    })

    it.each([
      ['a later one', hashwx(2, 100), slowFrom(2), false],
      ['a page that is hidden', hashwx(1, 100), slowFrom(1), true],
      ['one of SHA-256', { ...puzzles(100), count: 1 }, slowFrom(1), false],
      ['a page that blocks the thread between slices', hashwx(1, 1_000), busyPage, false],
      ['one that takes a fast device long', hashwx(1, 1_000_000), slowFrom(2), false],
    ])('is not stopped by %s', async (_, task, loadEngine, hidden) => {
      expect(areSolved(task, await solve(task, loadEngine, hidden))).toBe(true)
    })
  })

  it('starts no more workers than there are puzzles', async () => {
    const count = { tasks: 0, terminated: 0 }
    const solver = createSolver(pool({ workers: 8, ways: [createWorker(count)] }))
    await solver.solve({ ...puzzles(), count: 2 }, ignore, never)
    expect(count.terminated).toBe(2)
  })
})

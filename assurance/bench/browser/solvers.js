// Runs in the page: one worker per solver, each hashes in turn for a while. Resolves with MH/s per round.

/** Tollgate's solver, as the component runs it: tasks that hardly any nonce solves, and the number of tries it reports. */
function ours(worker, source, span) {
  return {
    ready: new Promise((resolve) => {
      worker.onmessage = resolve
      worker.postMessage({ kind: 'load', source })
    }),
    hash: (ms) =>
      new Promise((resolve) => {
        let first
        worker.onmessage = ({ data }) => {
          const now = performance.now()
          first ??= { now, tries: data.tries }
          // a busy machine may run the worker for the first time only after the round
          if (now - first.now >= ms) resolve((data.tries - first.tries) / (now - first.now) / 1000)
        }
        worker.postMessage({ kind: 'solve', index: 0, seed: '00'.repeat(span ? 32 : 16), target: 1, span })
      }),
  }
}

/** A peer in a worker of the benchmark (see peers.js), which reports its hashes and milliseconds. */
function peer(worker) {
  const answer = () => new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)))
  return {
    ready: answer(),
    hash: async (ms) => {
      worker.postMessage(ms)
      const { hashes, took } = await answer()
      return hashes / took / 1000
    },
  }
}

async function compile(url) {
  return WebAssembly.compile(await (await fetch(url)).arrayBuffer())
}

const SOLVERS = {
  'tollgate, vectors': ['/widget.js', async (worker) => ours(worker, await compile('/solver/simd.wasm'))],
  'tollgate, scalar': ['/widget.js', async (worker) => ours(worker, await compile('/solver/scalar.wasm'))],
  'tollgate, JavaScript': ['/widget.js', async (worker) => ours(worker, `${location.origin}/solver/script.js`)],
  'tollgate, HashWX': ['/widget.js', async (worker) => ours(worker, await compile('/solver/hashwx.wasm'), 2 ** 18)],
  '@cap.js/wasm': ['/cap.js', peer],
  'hash-wasm': ['/hash-wasm.js', peer],
}

window.measure = async (rounds, ms) => {
  const results = Object.fromEntries(Object.keys(SOLVERS).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, [url, start]] of Object.entries(SOLVERS)) {
      // A new worker each time: an unsolvable task would continue while others are measured.
      const worker = new Worker(url, { type: url === '/widget.js' ? 'classic' : 'module' })
      const solver = await start(worker)
      await solver.ready
      results[name].push(await solver.hash(ms))
      worker.terminate()
    }
  }
  return results
}

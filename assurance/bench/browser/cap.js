// Cap's solver in a worker: searches of about 65,000 hashes each, for the requested time.
import init, { solve_pow } from './cap_wasm.js'

await init({ module_or_path: '/cap_wasm_bg.wasm' })
solve_pow('warm', '0000')
self.onmessage = ({ data: ms }) => {
  const begun = performance.now()
  let hashes = 0
  for (let salt = 0; performance.now() - begun < ms; salt++)
    hashes += Number(solve_pow(`salt${salt}${begun}`, '0000')) + 1
  self.postMessage({ hashes, took: performance.now() - begun })
}
self.postMessage('ready')

// hash-wasm in a worker: SHA-256 of messages of 24 bytes, as in Tollgate's puzzles, for the requested time.
import { createSHA256 } from './hash-wasm-module.js'

const hasher = await createSHA256()
const message = new Uint8Array(24)
const nonce = new DataView(message.buffer)
self.onmessage = ({ data: ms }) => {
  const begun = performance.now()
  let hashes = 0
  while (performance.now() - begun < ms) {
    for (let i = 0; i < 4096; i++) {
      nonce.setUint32(20, hashes + i)
      hasher.init().update(message).digest('binary')
    }
    hashes += 4096
  }
  self.postMessage({ hashes, took: performance.now() - begun })
}
self.postMessage('ready')

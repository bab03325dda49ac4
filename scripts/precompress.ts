import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|html|json|svg|wasm|txt)$/
/** Below it the headers weigh more than what is won. */
const LEAST_BYTES = 256

/** Writes a `.gz` and a `.br` beside every file of the build, which the server sends as they are. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const [name, output] of Object.entries(bundle)) {
        const content = Buffer.from(output.type === 'chunk' ? output.code : output.source)
        if (!COMPRESSIBLE.test(name) || content.length < LEAST_BYTES) continue
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content))
      }
    },
  }
}

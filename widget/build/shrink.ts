import { minify } from 'terser'
import type { Plugin } from 'vite'

/**
 * Properties of the component's own objects, which get names of one letter: none that a page, the service or the browser
 * knows, and none of the messages to workers, which bench/ sends as well. Many share their name with something of the
 * browser's, such as `text`: the component must not use that, and an attribute's name must not be a key of this list.
 */
const OWN =
  /^(?:action|advice|after|api|attempt|automatic|begin|callback|chances|checkExpiry|container|description|dismiss|draw|drop|due|errorCallback|expiredCallback|feed|fetchAhead|hasFocus|help|hireMainThread|hireWorker|host|input|isDue|isHeld|label|loadLanguage|lost|nonces|onCollect|onFocus|onSubmit|onType|onWait|options|put|reconnect|reference|release|report|reread|responseFieldName|session|solve|solver|spoken|state|stay|step|stop|tag|text|theme|token|until|wake|warm|watch|words|workers)$/

/** Minifies once more what the bundler has minified: each finds what the other leaves, 2 % after compression. */
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
          mangle: { properties: { regex: OWN, builtins: true } },
          compress: {
            passes: 10,
            unsafe: true,
            unsafe_arrows: true,
            unsafe_methods: true,
            pure_getters: true,
            lhs_constants: false,
          },
        })
        if (code) chunk.code = renameProperties(code)
      }
    },
  }
}

/** Gives the style's custom properties, which nobody outside can see, names of one letter. */
function renameProperties(code: string): string {
  const names = new Set([...code.matchAll(/var\((--[\w-]+)\)/g)].flatMap(([, name]) => name ?? []))
  return [...names].reduce((text, name, i) => {
    const short = `--${String.fromCharCode(97 + i)}`
    return text.replaceAll(`${name}:`, `${short}:`).replaceAll(`(${name})`, `(${short})`)
  }, code)
}

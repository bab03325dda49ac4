import { minify } from 'terser'
import type { Plugin } from 'vite'

/**
 * Properties of the component's own objects, which get names of one letter: none that a page, the service or the browser
 * knows, and none of the messages to workers, which bench/ sends as well. Those that share their name with something of
 * the browser's are left alone by terser.
 */
const OWN =
  /^(?:advice|api|attempt|automatic|begin|chances|checkExpiry|container|description|dismiss|draw|drop|due|feed|fetchAhead|hasFocus|help|hireMainThread|hireWorker|isDue|isHeld|loadLanguage|label|lost|nonces|onCollect|onFocus|onSubmit|onType|onWait|put|reconnect|reference|report|reread|session|solver|stay|tag|token|until|wake|warm|watch|words|workers)$/

/** Minifies once more what the bundler has minified: each finds what the other leaves, 2 % after compression. */
export function shrink(): Plugin {
  return {
    name: 'shrink',
    async generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const { code } = await minify(chunk.code, {
          ecma: 2020,
          mangle: { properties: { regex: OWN } },
          compress: { passes: 10, unsafe: true, unsafe_arrows: true, unsafe_methods: true },
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

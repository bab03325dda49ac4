import { minify } from 'terser'
import type { Plugin } from 'vite'

/**
 * Properties of the component's own objects, which are renamed to one letter. The list must not contain names that the
 * page, the service or the messages to workers use (bench/ sends those too). Some are also names of browser APIs, such as
 * `text`: the component must not use those APIs, and no attribute may have one of these names.
 */
const OWN =
  /^(?:action|advice|again|area|assignTasks|attempt|callback|canRetry|chances|checkExpiry|container|content|description|draw|drop|errorCallback|expiredCallback|expiresAt|frame|handlers|hasFailed|help|holdNative|isTrapped|keep|label|loadLanguage|maxTries|mount|needsIntent|nonces|onFailure|onMove|onReady|onReport|onSlow|onWait|options|pause|preload|reference|repeat|request|responseFieldName|retryAfter|session|setToken|solve|solver|state|step|stop|tag|text|theme|token|updateOptions|waiting|watchRoots|ways|workers)$/

/** Minifies the bundler's minified output again, which saves another 2 % after compression. */
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
        if (code) chunk.code = renameCustomProperties(code)
      }
    },
  }
}

/** Renames the style sheet's custom properties, which are private, to one letter. */
function renameCustomProperties(code: string): string {
  const names = new Set([...code.matchAll(/var\((--[\w-]+)\)/g)].flatMap(([, name]) => name ?? []))
  return [...names].reduce((text, name, i) => {
    const short = `--${String.fromCharCode(97 + i)}`
    return text.replaceAll(`${name}:`, `${short}:`).replaceAll(`(${name})`, `(${short})`)
  }, code)
}

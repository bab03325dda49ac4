import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const FOLDER = './text/folder'
const TEXTS = fileURLToPath(new URL('../text/', import.meta.url))
/** Part of the component itself. */
const BUILT_IN = 'en'
/**
 * Other tags under which a text is asked for: obsolete ones, the common one of both Norwegians, and the places where
 * Chinese is written as in Taiwan. Each is served as a file of its own, so the component need not know of them.
 */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  fil: ['tl'],
  he: ['iw'],
  id: ['in'],
  nb: ['no', 'nn'],
  'zh-TW': ['zh-Hant', 'zh-HK', 'zh-MO'],
}

/**
 * `./text/folder`: makes a file of every text but English, and gives the path of their folder, whose name changes with
 * their content. Which there are is the service's to know: it has no content for the others (server/widget.ts).
 */
export function textFolder(besideWidget: (file: string) => string): Plugin {
  return {
    name: FOLDER,
    resolveId: (id) => (id === FOLDER ? `\0${FOLDER}` : undefined),
    load(id) {
      if (id !== `\0${FOLDER}`) return undefined
      const texts = readTexts()
      const hash = createHash('sha256').update(JSON.stringify([...texts]))
      const folder = `assets/text-${hash.digest('base64url').slice(0, 8)}/`
      for (const name of readdirSync(TEXTS)) this.addWatchFile(TEXTS + name)
      for (const [tag, source] of texts) this.emitFile({ type: 'asset', fileName: `${folder}${tag}.json`, source })
      return `export default ${JSON.stringify(besideWidget(folder))}`
    },
  }
}

/** The files to serve, in a fixed order: JSON by tag, in lower case because tags are compared without regard to it. */
export function readTexts(): ReadonlyMap<string, string> {
  const texts = readdirSync(TEXTS)
    .map((name) => name.slice(0, -'.json'.length))
    .filter((tag) => tag !== BUILT_IN)
    .flatMap((tag) => {
      const text = JSON.stringify(JSON.parse(readFileSync(`${TEXTS}${tag}.json`, 'utf8')))
      return [tag, ...(ALIASES[tag] ?? [])].map((name): [string, string] => [name.toLowerCase(), text])
    })
  texts.sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(texts)
}

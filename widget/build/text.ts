import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { pageTexts } from '../../server/contract/mistakes/pageTexts.ts'

const FOLDER = './text/folder'
const ENGLISH = './text/english'
const TEXTS = fileURLToPath(new URL('../text/', import.meta.url))
/** Part of the component itself. */
const BUILT_IN = 'en'
/**
 * Other tags for the same text: obsolete tags, the macrolanguage Norwegian, and the regions that write Chinese as Taiwan
 * does. Each is served as a separate file, so the component does not need to know them.
 */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  fil: ['tl'],
  he: ['iw'],
  id: ['in'],
  nb: ['no', 'nn'],
  'zh-TW': ['zh-Hant', 'zh-HK', 'zh-MO'],
}

/**
 * `./text/folder`: emits a file for every text except English and one for the developers' messages. Exports the path of
 * their folder, whose name contains a hash of the content. The component does not know which texts exist: the service
 * answers requests for others with 204 (server/widget/mount.ts).
 */
export function textFolder(besideWidget: (file: string) => string): Plugin {
  return {
    name: FOLDER,
    resolveId: (id) => (id === FOLDER ? `\0${FOLDER}` : undefined),
    load(id) {
      if (id !== `\0${FOLDER}`) return undefined
      const texts = readTexts()
      // In the same folder, so that the component contains only one path.
      texts.set('help', JSON.stringify(pageTexts()))
      const hash = createHash('sha256').update(JSON.stringify([...texts]))
      const folder = `assets/text-${hash.digest('base64url').slice(0, 8)}/`
      for (const name of readdirSync(TEXTS)) this.addWatchFile(TEXTS + name)
      for (const [tag, source] of texts) this.emitFile({ type: 'asset', fileName: `${folder}${tag}.json`, source })
      return `export default ${JSON.stringify(besideWidget(folder))}`
    },
  }
}

/** `./text/english`: the text that is part of the component. */
export function englishText(): Plugin {
  return {
    name: ENGLISH,
    resolveId: (id) => (id === ENGLISH ? `\0${ENGLISH}` : undefined),
    load(id) {
      if (id !== `\0${ENGLISH}`) return undefined
      this.addWatchFile(`${TEXTS}${BUILT_IN}.json`)
      return `export default ${readText(BUILT_IN)}`
    },
  }
}

/** The files to serve, as JSON by tag, in a fixed order. Tags are in lower case because they are case-insensitive. */
export function readTexts(): Map<string, string> {
  const texts = readdirSync(TEXTS)
    .map((name) => name.slice(0, -'.json'.length))
    .filter((tag) => tag !== BUILT_IN)
    .flatMap((tag) =>
      [tag, ...(ALIASES[tag] ?? [])].map((name): [string, string] => [name.toLowerCase(), readText(tag)]),
    )
  texts.sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(texts)
}

/** The values of a text as a JSON list, in the order of the keys, which is the same in every file (text.test.ts). */
function readText(tag: string): string {
  const text = JSON.parse(readFileSync(`${TEXTS}${tag}.json`, 'utf8')) as Readonly<Record<string, string>>
  return JSON.stringify(Object.values(text))
}

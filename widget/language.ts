import en from './text/en.json' with { type: 'json' }

export type Text = typeof en

export interface Language {
  /** BCP 47, of the text itself. */
  readonly tag: string
  readonly text: Text
}

/** English is part of the component; the others are files of their own, fetched when a page needs them. */
const ENGLISH: Language = { tag: 'en', text: en }
const FILES = import.meta.glob<string>(['./text/*.json', '!./text/en.json'], {
  query: '?url',
  import: 'default',
  eager: true,
})

/** The tag of the best language there is for `wanted`: `de-AT` is served by `de`, the unknown by `en`. */
export function chooseLanguage(wanted: string, available: readonly string[]): string {
  for (let tag = wanted; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = available.find((each) => each.toLowerCase() === tag.toLowerCase())
    if (found) return found
  }
  return 'en'
}

/** Loads texts below `base`, each file once. A text that cannot be had is English: never a reason to fail. */
export function createLanguages(base: string): (wanted: string) => Promise<Language> {
  const urls = new Map(Object.entries(FILES).map(([path, url]) => [path.slice('./text/'.length, -'.json'.length), url]))
  const loaded = new Map<string, Promise<Language>>()
  return (wanted) => {
    const tag = chooseLanguage(wanted.replaceAll('_', '-'), [...urls.keys()])
    const url = urls.get(tag)
    const language = loaded.get(tag) ?? (url ? fetchText(tag, new URL(url, base)) : Promise.resolve(ENGLISH))
    loaded.set(tag, language)
    return language
  }
}

async function fetchText(tag: string, url: URL): Promise<Language> {
  try {
    const reply = await fetch(url, { credentials: 'omit' })
    const text: Text = await reply.json()
    return { tag, text: { ...en, ...text } }
  } catch {
    return ENGLISH
  }
}

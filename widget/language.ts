import { download } from './download.ts'
import en from './text/en.json' with { type: 'json' }

export type Text = typeof en

export interface Language {
  /** BCP 47, in lower case, of the text itself. */
  readonly tag: string
  readonly text: Text
}

/** English is part of the component; the others are files of their own, fetched when a page needs them. */
const ENGLISH: Language = { tag: 'en', text: en }

/** The best of the `available` tags for `wanted`: `de-AT` is served by `de`, the unknown by `en`. */
export function chooseLanguage(wanted: string, available: readonly string[]): string {
  let tag = wanted.toLowerCase().replaceAll('_', '-')
  while (tag !== '' && !available.includes(tag)) tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  return tag || ENGLISH.tag
}

/**
 * Loads the texts of `tags` (in lower case, with a space between) from below `folder`, each once. A text that cannot be
 * had is English: never a reason to fail.
 */
export function createLanguages(folder: URL, tags: string): (wanted: string) => Promise<Language> {
  const loaded = new Map([[ENGLISH.tag, Promise.resolve(ENGLISH)]])
  return (wanted) => {
    const tag = chooseLanguage(wanted, tags.split(' '))
    const language = loaded.get(tag) ?? fetchText(tag, new URL(`${tag}.json`, folder))
    loaded.set(tag, language)
    return language
  }
}

async function fetchText(tag: string, url: URL): Promise<Language> {
  try {
    return { tag, text: await (await download(url)).json() }
  } catch {
    return ENGLISH
  }
}

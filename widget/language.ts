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

/** As far as a text has a name of its own: the language, and the place or script where that is written differently. */
const NAME = /^(?:pt-br|sr-latn|zh-(?:hant|hk|mo|tw)|[a-z]{2,3})\b/

/** The name of the text for `wanted`: `de-AT` is served by `de`, what is no tag by `en`. */
export function nameOf(wanted: string): string {
  return NAME.exec(wanted.toLowerCase().replaceAll('_', '-'))?.[0] ?? ENGLISH.tag
}

/** Loads texts from below `folder`, each once. A text that cannot be had is English: never a reason to fail. */
export function createLanguages(folder: URL): (wanted: string) => Promise<Language> {
  const loaded = new Map([[ENGLISH.tag, Promise.resolve(ENGLISH)]])
  return (wanted) => {
    const tag = nameOf(wanted)
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

import { download } from './download.ts'
import { ownOf } from './own.ts'
import english from './text/english'

/**
 * Where each part of a text stands: in the order of the keys of the files in text/, of which the build makes lists.
 * (With names instead of positions the component would be larger by a hundredth.) Advice follows what it is about.
 */
export const PART = {
  group: 0,
  verify: 1,
  working: 2,
  waiting: 3,
  solved: 4,
  expired: 5,
  expiredAdvice: 6,
  copyAdvice: 7,
  offline: 8,
  offlineAdvice: 9,
  limited: 10,
  limitedAdvice: 11,
  busy: 12,
  busyAdvice: 13,
  failed: 14,
  failedAdvice: 15,
  unsupported: 16,
  unsupportedAdvice: 17,
  misconfigured: 18,
  misconfiguredAdvice: 19,
  unlisted: 20,
  unlistedAdvice: 21,
  reference: 22,
  retry: 23,
  reload: 24,
} as const

export type Part = (typeof PART)[keyof typeof PART]

/** What the component says in one language: a list. */
export type Text = Readonly<Record<Part, string>>

export interface Language {
  /** BCP 47, in lower case, of the text itself. */
  readonly tag: string
  readonly text: Text
}

/** English is part of the component; the others are files of their own, fetched when a page needs them. */
const ENGLISH: Language = { tag: 'en', text: english }

/** As far as a text has a name of its own: the language, and the place or script where that is written differently. */
const NAME = /^(?:pt-br|sr-latn|zh-(?:hant|hk|mo|tw)|[a-z]{2,3})\b/

/** The name of the text for `wanted`: `de-AT` is served by `de`, what is no tag by `en`. */
export function nameOf(wanted: string): string {
  return NAME.exec(wanted.toLowerCase().replaceAll('_', '-'))?.[0] ?? ENGLISH.tag
}

/** Loads texts from below `folder`, each once. A text that cannot be had is English: never a reason to fail. */
export function createLanguages(folder: URL): (wanted: string) => Promise<Language> {
  const loaded = ownOf<Record<string, Promise<Language>>>({ en: Promise.resolve(ENGLISH) })
  return (wanted) => {
    const tag = nameOf(wanted)
    return (loaded[tag] ??= fetchText(tag, new URL(`${tag}.json`, folder)))
  }
}

async function fetchText(tag: string, url: URL): Promise<Language> {
  try {
    return { tag, text: await (await download(url)).json() }
  } catch {
    return ENGLISH
  }
}

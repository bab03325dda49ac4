import { ownProperties } from './ownProperties.ts'
import { download } from './request.ts'
import english from './text/english'

/**
 * The index of each part in a text. The build turns the files in text/ into lists, in the order of their keys, because
 * keys would make the component 1 % larger. The advice for a label follows the label.
 */
export const PART = {
  group: 0,
  verify: 1,
  working: 2,
  waiting: 3,
  solved: 4,
  solvedAdvice: 5,
  expired: 6,
  expiredAdvice: 7,
  copyAdvice: 8,
  offline: 9,
  offlineAdvice: 10,
  limited: 11,
  limitedAdvice: 12,
  busy: 13,
  busyAdvice: 14,
  failed: 15,
  failedAdvice: 16,
  unsupported: 17,
  unsupportedAdvice: 18,
  misconfigured: 19,
  misconfiguredAdvice: 20,
  unlisted: 21,
  unlistedAdvice: 22,
  reference: 23,
  retry: 24,
  reload: 25,
} as const

export type Part = (typeof PART)[keyof typeof PART]

/** All texts of one language, as a list. */
export type Text = Readonly<Record<Part, string>>

export interface Language {
  /** The BCP 47 tag of the text, in lower case. */
  readonly tag: string
  readonly text: Text
}

/** English is part of the component; the other languages are separate files, downloaded when a page needs them. */
const ENGLISH: Language = { tag: 'en', text: english }

/** Tags that have a text: a language, with its region or script where a separate text exists. */
const TAG = /^(?:pt-br|sr-latn|zh-(?:hant|hk|mo|tw)|[a-z]{2,3})\b/

/** The tag of the text for `language`: `de` for `de-AT`, `en` for what is not a language tag. */
export function textTagOf(language: string): string {
  return TAG.exec(language.toLowerCase().replaceAll('_', '-'))?.[0] ?? ENGLISH.tag
}

/** Loads texts from `folder`, each once. If a text cannot be loaded, the result is English. */
export function createLanguages(folder: URL): (language: string) => Promise<Language> {
  const loaded = ownProperties<Record<string, Promise<Language>>>({ en: Promise.resolve(ENGLISH) })
  return (language) => {
    const tag = textTagOf(language)
    return (loaded[tag] ??= fetchText(tag, new URL(`${tag}.json`, folder)))
  }
}

async function fetchText(tag: string, url: URL): Promise<Language> {
  try {
    // Spread, because JSON that is not a list is not a text.
    return { tag, text: await download(url, async (reply) => [...(await reply.json())] as unknown as Text) }
  } catch {
    return ENGLISH
  }
}

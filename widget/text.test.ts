import { describe, expect, it } from 'vitest'
import { PART } from './language.ts'
import en from './text/en.json' with { type: 'json' }

const FILES = import.meta.glob<Record<string, string>>('./text/*.json', { import: 'default', eager: true })
const TEXTS = new Map(
  Object.entries(FILES).map(([path, text]) => [path.slice('./text/'.length, -'.json'.length), text]),
)
const ENGLISH: Readonly<Record<string, string>> = en
const FROM_RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])

/** The maximum length in columns. A Chinese character takes two. */
const ROOM: Readonly<Record<string, number>> = {
  group: 40,
  verify: 34,
  working: 38,
  waiting: 40,
  solvedAdvice: 32,
  copyAdvice: 38,
  unlisted: 44,
  unsupported: 30,
  unsupportedAdvice: 38,
  reference: 10,
  retry: 15,
  reload: 15,
}
const ROOM_FOR_ADVICE = 28
const ROOM_FOR_LABEL = 24

/** The values in all texts that fail `isRight`. */
function faults(isRight: (value: string, key: string, tag: string) => boolean): string[] {
  return [...TEXTS].flatMap(([tag, text]) =>
    Object.entries(text).flatMap(([key, value]) => (isRight(value, key, tag) ? [] : [`${tag} ${key}: ${value}`])),
  )
}

describe('every text', () => {
  it('has its parts at the positions that the component uses', () => {
    expect(Object.keys(en)).toEqual(Object.keys(PART))
    expect(Object.values(PART)).toEqual(Object.keys(en).map((_, position) => position))
  })

  it('has the same keys as English', () => {
    const said = [...TEXTS].map(([tag, text]) => [tag, Object.keys(text)])
    expect(said).toEqual([...TEXTS.keys()].map((tag) => [tag, Object.keys(en)]))
  })

  it('is named after its canonical language tag', () => {
    const tags = [...TEXTS.keys()]
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags)
  })

  it('is translated, except for the abbreviation of reference', () => {
    expect(faults((value, key, tag) => tag === 'en' || key === 'reference' || value !== ENGLISH[key])).toEqual([])
  })

  it('is trimmed and in NFC, with typographic quotes and without invisible characters', () => {
    expect(faults((value) => /^\S(.*\S)?$/.test(value) && !/\s\s|['"]|\.\./.test(value))).toEqual([])
    expect(faults((value) => value === value.normalize('NFC'))).toEqual([])
    // Persian separates the parts of a word with a zero-width non-joiner; no other text needs invisible characters.
    const visible = (value: string, tag: string) => value.replace(tag === 'fa' ? /[ \u200C]/g : / /g, '')
    expect(faults((value, _, tag) => !/[\p{C}\p{Z}]/u.test(visible(value, tag)))).toEqual([])
  })

  it('is short enough for the box', () => {
    const roomFor = (key: string) => ROOM[key] ?? (key.endsWith('Advice') ? ROOM_FOR_ADVICE : ROOM_FOR_LABEL)
    expect(faults((value, key) => columnsOf(value) <= roomFor(key))).toEqual([])
  })

  it('begins with a letter of its own direction, from which the box takes its direction', () => {
    const begins = (value: string) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(/\p{L}/u.exec(value)?.[0] ?? '')
    expect(faults((value, _, tag) => begins(value) === FROM_RIGHT_TO_LEFT.has(tag))).toEqual([])
  })

  it('ends advice, and nothing else, with the full stop of its script', () => {
    const isSentence = (value: string, tag: string) => tag === 'th' || /[.。।۔]$/.test(value)
    expect(faults((value, key, tag) => !key.endsWith('Advice') || isSentence(value, tag))).toEqual([])
    expect(faults((value, key) => /Advice|reference/.test(key) || !/[.。।۔]$/.test(value))).toEqual([])
  })
})

it('Serbian is the same in both scripts', () => {
  const { sr = {}, 'sr-Latn': latin } = Object.fromEntries(TEXTS)
  expect(Object.fromEntries(Object.entries(sr).map(([key, value]) => [key, inLatin(value)]))).toEqual(latin)
})

function columnsOf(value: string): number {
  const marks = value.match(/\p{M}/gu)?.length ?? 0
  const wide = value.match(/[\u2E80-\u9FFF\uAC00-\uFFEF]/g)?.length ?? 0
  return value.length - marks + wide
}

function inLatin(value: string): string {
  const latin = 'a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š'.split(' ')
  return value.replace(/\p{L}/gu, (each) => {
    const small = latin['абвгдђежзијклљмнњопрстћуфхцчџш'.indexOf(each.toLowerCase())] ?? '?'
    return each === each.toLowerCase() ? small : small.replace(/^./, (first) => first.toUpperCase())
  })
}

import { expect, test } from 'vitest'
import { hasAtMost, isName, nameFault } from './names.ts'

const FAMILY = '👨‍👩‍👧'

test.each([
  'Ada',
  'Zoë 🙂',
  '日本',
  // joiners between letters: Persian, Sinhala, Bengali, Hindi, Malayalam
  'شرکت می\u200cخواهم',
  'ක්\u200dර',
  'র\u200d্যাব',
  'क्\u200dष',
  'അവന്\u200d',
  FAMILY,
  '👩🏽\u200d🚀 ❤️\u200d🔥',
  '☀️ Shop 1️⃣',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  // a variant of an ideograph in Japanese names, and of a Mongolian letter
  '葛\u{e0100}城',
  'ᠮᠣᠩ\u180bᠭ',
  // the Arabic sign of a number is seen
  '\u0600١٢',
  'x'.repeat(120),
  FAMILY.repeat(120),
])('%j can be a name', (name) => {
  expect(nameFault(name)).toBeUndefined()
})

test.each([
  ['', 'empty'],
  [' ', 'empty'],
  [' a', 'blank'],
  ['x'.repeat(121), 'long'],
  [FAMILY.repeat(121), 'long'],
  [`a${'\u0301'.repeat(2500)}`, 'long'],
])('%j is no name: %s', (name, fault) => {
  expect(nameFault(name)).toBe(fault)
  expect(isName(name)).toBe(false)
})

test.each([
  ...'\0 \n \u202e \u200b \ufeff \u2028 \ud800 \u00ad \u2060 \u061c'.split(' ').map((hidden) => `a${hidden}b`),
  // joiners at an end, doubled, in a script that has none, between two scripts, and beside an emoji
  '\u200d',
  '\u200c\u200c',
  'a\u200d',
  'pay\u200cpal',
  'م\u200c',
  'م\u200c\u200cم',
  'م\u200dक',
  '🙂\u200d',
  'a\u200d🙂',
  // fillers and selectors with nothing to select, and a text in the tags of a flag
  '\u3164',
  '\u115f',
  '\u2800',
  '\ufe0f',
  'a \ufe0f',
  'a\ufe0f',
  '❤\ufe0f\ufe0f',
  '葛\u{e0100}\u{e0100}',
  'ᠭ\u180b\u180b',
  'a\u{e0100}',
  '🏴\u{e0061}\u{e0062}\u{e007f}',
])('%j is no name: it hides a character', (name) => {
  expect(nameFault(name)).toBe('hidden')
})

test('characters are counted as a reader counts them', () => {
  expect(hasAtMost(2, 'e\u0301🏽')).toBe(true)
  expect(hasAtMost(2, `${FAMILY}ab`)).toBe(false)
})

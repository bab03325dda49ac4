import { describe, expect, it } from 'vitest'
import { chooseLanguage } from './language.ts'
import en from './text/en.json' with { type: 'json' }

const TEXTS = import.meta.glob<Record<string, string>>('./text/*.json', { import: 'default', eager: true })

describe('the language', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-at', 'de'],
    ['pt-BR', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['tlh', 'en'],
    ['', 'en'],
    ['-', 'en'],
  ])('for %s is %s', (wanted, chosen) => {
    expect(chooseLanguage(wanted, ['de', 'pt', 'pt-BR', 'zh-Hant'])).toBe(chosen)
  })

  it.each(Object.entries(TEXTS))('%s says everything that English says, and how it is read', (_, text) => {
    expect(new Set(Object.keys(text))).toEqual(new Set(Object.keys(en)))
    expect(Object.values(text)).not.toContain('')
    expect(['ltr', 'rtl']).toContain(text['direction'])
  })
})

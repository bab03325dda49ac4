import { beforeEach, describe, expect, it, vi } from 'vitest'
import { isSameIntent, missingOptions, readOptions } from './options.ts'

const REQUIRED = { sitekey: 'tg_site_x', intent: 'i-1', endpoint: 'https://gate.example' }

const PAGE = 'https://shop.example/cart'

function container(dataset: Record<string, string>, lang?: string, baseURI = PAGE) {
  const root = lang === undefined ? null : { lang }
  return { dataset, baseURI, closest: () => root }
}

const read = (dataset: Record<string, string>, given = {}, lang?: string) =>
  readOptions(container(dataset, lang), given)

beforeEach(() => {
  vi.stubGlobal('navigator', { language: 'fr-CA' })
  vi.stubGlobal('location', { pathname: '/cart' })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  vi.stubGlobal('self', { origin: 'https://shop.example' })
})

describe('options', () => {
  it('have defaults for all but the three required', () => {
    expect(read(REQUIRED)).toMatchObject({
      ...REQUIRED,
      theme: 'auto',
      size: 'normal',
      start: 'auto',
      responseFieldName: 'svc-captcha-response',
      tabindex: 0,
    })
  })

  it.each(Object.keys(REQUIRED))('are incomplete without %s', (name) => {
    expect(missingOptions(read(REQUIRED))).toBe('')
    expect(missingOptions(read({ ...REQUIRED, [name]: ' ' }))).toBe(name)
  })

  it('are incomplete with an invalid endpoint', () => {
    expect(missingOptions(read({ ...REQUIRED, endpoint: 'https://' }))).toBe('endpoint')
  })

  it('resolve the endpoint relative to the page, without a trailing slash', () => {
    expect(read({ ...REQUIRED, endpoint: '/gate/' }).endpoint).toBe('https://shop.example/gate')
    expect(read({ ...REQUIRED, endpoint: 'https://gate.example/' }).endpoint).toBe('https://gate.example')
  })

  it('of render override the attributes', () => {
    const callback = () => undefined
    const options = read(
      { ...REQUIRED, size: 'compact', callback: 'named' },
      { intent: 'i-2', size: 'flexible', callback },
    )
    expect(options).toMatchObject({ intent: 'i-2', size: 'flexible', callback })
  })

  it('fall back to the default for invalid values', () => {
    const options = read({ ...REQUIRED, theme: 'Dark', size: 'huge', start: 'now', tabindex: 'first' })
    expect(options).toMatchObject({ theme: 'auto', size: 'normal', start: 'auto', tabindex: 0 })
  })

  it.each([
    ['/intent', 'https://shop.example/intent'],
    ['intent?form=2', 'https://shop.example/intent?form=2'],
    ['https://shop.example/intent', 'https://shop.example/intent'],
    ['/', 'https://shop.example/'],
  ])('renew at %s, on the page’s own origin', (renew, url) => {
    expect(read({ ...REQUIRED, renew }).renew).toBe(url)
    expect(read(REQUIRED, { renew }).renew).toBe(url)
  })

  it.each([
    '//evil.example/intent',
    'http://shop.example/intent',
    'https://shop.example.evil/',
    'javascript:0',
    'https://',
  ])('do not renew at %s', (renew) => {
    expect(read({ ...REQUIRED, renew }).renew).toBe(false)
  })

  it.each([
    ['of a folder', 'https://shop.example/app/', '/cart', 'https://shop.example/app/intent'],
    ['of another host', 'https://cdn.example/files/', '/shop/cart', 'https://shop.example/shop/intent'],
    ['of another port', 'https://shop.example:8443/', '/cart', 'https://shop.example/intent'],
    ['of a document without an address', 'about:srcdoc', 'srcdoc', 'https://shop.example/intent'],
  ])('are relative to the page with a base %s', (_, baseURI, pathname, renew) => {
    vi.stubGlobal('location', { pathname })
    const options = readOptions(container({ ...REQUIRED, renew: 'intent', endpoint: '/gate' }, 'en', baseURI), {})
    expect(options).toMatchObject({ renew, endpoint: 'https://shop.example/gate' })
  })

  it('do not renew in a page without an origin', () => {
    vi.stubGlobal('self', { origin: 'null' })
    expect(read({ ...REQUIRED, renew: '/intent' }).renew).toBe(false)
  })

  it("speak the given language, else the page's, else the browser's", () => {
    expect(read({ ...REQUIRED, language: 'de' }, {}, 'es').language).toBe('de')
    expect(read(REQUIRED, {}, 'es').language).toBe('es')
    expect(read(REQUIRED).language).toBe('fr-CA')
    // In a shadow root, no ancestor has it.
    vi.stubGlobal('document', { documentElement: { lang: 'it' } })
    expect(read(REQUIRED).language).toBe('it')
  })

  it('name the same intent only if site, intent and service are the same', () => {
    const options = read(REQUIRED)
    expect(isSameIntent(options, read({ ...REQUIRED, theme: 'dark' }))).toBe(true)
    for (const name of Object.keys(REQUIRED)) {
      expect(isSameIntent(options, read({ ...REQUIRED, [name]: 'https://other.example' }))).toBe(false)
    }
  })
})

import { expect, test } from 'vitest'
import { hostnameError, isFound, suggestHostname } from './siteShape.ts'

test.each([
  ['shop.example', 'shop.example'],
  ['  Shop.Example ', 'shop.example'],
  ['https://shop.example:8443/cart?id=1', 'shop.example'],
  ['localhost:3000', 'localhost'],
  ['shop.example.', 'shop.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', '127.0.0.1'],
])('%j suggests the hostname %s', (typed, hostname) => {
  expect(suggestHostname(typed)).toBe(hostname)
})

test.each([[''], ['*.shop.example'], ['two words'], ['shop_1.example'], ['[::1]'], ['https://']])(
  '%j suggests no hostname',
  (typed) => {
    expect(suggestHostname(typed)).toBeNull()
  },
)

test('a valid hostname has no error, and every error says what to enter', () => {
  expect(hostnameError('shop.example')).toBeUndefined()
  expect(hostnameError('https://shop.example/')).toContain('shop.example')
  expect(hostnameError('bücher.example')).toContain('Punycode: xn--bcher-kva.example')
  expect(hostnameError('*.shop.example')).toContain('list every hostname')
  expect(hostnameError('two words')).toContain('shop.example or localhost')
})

test.each(['999.1.1.1', '1.2.3', '127.1', '0x7f.1', 'xn--a', '0177.0.0.1'])(
  '%j is named as a host that no browser has',
  (typed) => {
    expect(hostnameError(typed)).toMatch(/browser/i)
  },
)

test('a site is found by its name in another composition', () => {
  const site = { name: 'Zürich', hostnames: [], sitekey: 'tg_site_A12xxxxxxxxxxxxxxxxx' }
  for (const form of ['NFC', 'NFD']) expect(isFound(site, 'zürich'.normalize(form))).toBe(true)
})

test.each([
  ['8 green', true],
  ['g8.example', true],
  ['tg_site_a12', true],
  ['', true],
  ['12', false],
  ['a12', false],
])('a site is found by %j: %s', (typed, found) => {
  const site = { name: 'Greenhouse 8', hostnames: ['g8.example'], sitekey: 'tg_site_A12xxxxxxxxxxxxxxxxx' }
  expect(isFound(site, typed)).toBe(found)
})

import { expect, test } from 'vitest'
import { hostnameError, hostnameShape, isFound, readHostname } from './siteShape.ts'

test.each([
  ['shop.example', 'shop.example'],
  ['  Shop.Example ', 'shop.example'],
  ['https://shop.example:8443/cart?id=1', 'shop.example'],
  ['localhost:3000', 'localhost'],
  ['shop.example.', 'shop.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['http://localhost:4700/', 'localhost'],
  ['127.1', '127.0.0.1'],
])('%j is read as the hostname %s, also in the form of a new site', (typed, hostname) => {
  expect(readHostname(typed)).toBe(hostname)
  expect(hostnameShape.parse(typed)).toBe(hostname)
})

test.each([
  [''],
  ['*.shop.example'],
  ['two words'],
  ['shop_1.example'],
  ['[::1]'],
  ['https://'],
  ['shop'],
  ['http://Shop:80/'],
])('%j has no hostname, and the form says why', (typed) => {
  expect(readHostname(typed)).toBeNull()
  expect(hostnameShape.safeParse(typed).error?.issues).toMatchObject([{ message: hostnameError(typed) }])
})

test('every error says what to enter', () => {
  expect(hostnameError('*.shop.example')).toContain('list every hostname')
  expect(hostnameError('two words')).toContain('shop.example or localhost')
})

test.each(['shop', 'Shop/', 'https://Shop'])('%j is refused because it has no dot', (typed) => {
  expect(hostnameError(typed)).toContain('has a dot')
})

test.each(['999.1.1.1', 'xn--a'])('%j is named as a host that no browser has', (typed) => {
  expect(hostnameError(typed)).toMatch(/browser/i)
})

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

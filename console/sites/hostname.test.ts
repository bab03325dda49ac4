import { expect, test } from 'vitest'
import { faultOf, hostnameIn } from './hostname.ts'

test.each([
  ['shop.example', 'shop.example'],
  ['  Shop.Example ', 'shop.example'],
  ['https://shop.example:8443/cart?id=1', 'shop.example'],
  ['localhost:3000', 'localhost'],
  ['shop.example.', 'shop.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', '127.0.0.1'],
])('from %j the hostname %s is made out', (typed, hostname) => {
  expect(hostnameIn(typed)).toBe(hostname)
})

test.each([[''], ['*.shop.example'], ['two words'], ['shop_1.example'], ['[::1]'], ['https://']])(
  'from %j none is made out',
  (typed) => {
    expect(hostnameIn(typed)).toBeNull()
  },
)

test('what is well formed has no fault, and every fault says what to do', () => {
  expect(faultOf('shop.example')).toBeUndefined()
  expect(faultOf('https://shop.example/')).toContain('shop.example')
  expect(faultOf('bücher.example')).toContain('Punycode: xn--bcher-kva.example')
  expect(faultOf('*.shop.example')).toContain('list every hostname')
  expect(faultOf('two words')).toContain('shop.example or localhost')
})

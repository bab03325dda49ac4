import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Address,
  type Cidr,
  cidrsBetween,
  cidrText,
  contains,
  mergeCidrs,
  overlap,
  parseAddress,
  parseCidr,
  rangeOf,
} from './address.ts'
import { NetworkTable } from './networkTable.ts'

const cidr = (text: string) => {
  const parsed = parseCidr(text)
  if (!parsed) throw new Error(`${text} is not a range`)
  return parsed
}
function address(text: string): Address {
  const parsed = parseAddress(text)
  if (!parsed) throw new Error(`${text} is not an address`)
  return parsed
}
const tableOf = (...texts: string[]) => new NetworkTable(texts.map((text) => ({ cidr: cidr(text), text })))

test('ranges have one canonical form', () => {
  for (const [text, canonical] of [
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['64:ff9b::cb00:7107', '203.0.113.7/32'],
    ['2001:DB8:0::1/33', '2001:db8::/33'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::1', '::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ] as const)
    expect([text, cidrText(cidr(text))]).toEqual([text, canonical])
})

test('what is not a range is not parsed', () => {
  for (const text of [
    '',
    '203.0.113',
    '203.0.113.0/33',
    '::/129',
    '203.0.113.0/-1',
    '203.0.113.0/08',
    '1/8',
    'AS64500',
  ])
    expect([text, parseCidr(text)]).toEqual([text, undefined])
  // of these only a part is IPv4, which would have to be written as such
  for (const text of ['::ffff:0:0/90', '64:ff9b::/32']) expect([text, parseCidr(text)]).toEqual([text, undefined])
  for (const text of ['[::1]/8', '203.0.113.7:80', ' 203.0.113.7', '2001:db8::1%eth0/64'])
    expect([text, parseCidr(text)]).toEqual([text, undefined])
})

test('the smallest range that contains an address is found, in all notations of the address', () => {
  const table = tableOf('203.0.0.0/16', '203.0.113.0/24', '203.0.113.7/32', '2001:db8::/32', '2001:db8:0:1::/64')
  const found = (text: string) => table.find(address(text))?.text
  expect(found('203.0.113.7')).toBe('203.0.113.7/32')
  expect(found('::ffff:203.0.113.8')).toBe('203.0.113.0/24')
  expect(found('[64:ff9b::cb00:7109]:443')).toBe('203.0.113.0/24')
  expect(found('203.0.114.0')).toBe('203.0.0.0/16')
  expect(found('203.1.0.0')).toBe(undefined)
  expect(found('202.255.255.255')).toBe(undefined)
  expect(found('2001:db8:0:1:ffff::')).toBe('2001:db8:0:1::/64')
  expect(found('2001:db8:0:2::')).toBe('2001:db8::/32')
  expect(found('2001:db9::')).toBe(undefined)
})

test('ranges at both ends of the address space are found', () => {
  const table = tableOf('0.0.0.0/8', '255.255.255.255/32', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128')
  expect(table.find(address('0.0.0.0'))?.text).toBe('0.0.0.0/8')
  expect(table.find(address('255.255.255.255'))?.text).toBe('255.255.255.255/32')
  expect(table.find(address('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'))?.text).toMatch(/^ffff/)
  expect(table.find(address('255.255.255.254'))).toBe(undefined)
})

/** Few different bits, so that ranges contain each other and addresses hit them. */
const word = fc.constantFrom(0n, 1n, 2n, 0x8000_0000n, 0xffff_ffffn, 0x2001_0db8n)
const someAddress: fc.Arbitrary<Address> = fc.oneof(
  word.map((value) => ({ family: 4 as const, value })),
  fc.tuple(word, word, word, word).map((words) => ({
    family: 6 as const,
    value: words.reduce<bigint>((sum, each) => (sum << 32n) | each, 0n),
  })),
)
const range: fc.Arbitrary<Cidr> = someAddress.chain((each) =>
  fc.nat({ max: each.family === 4 ? 32 : 128 }).map((bits) => rangeOf(each, bits)),
)

test('finds what comparing with every range finds', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 30 }), fc.array(someAddress, { minLength: 1 }), (ranges, addresses) => {
      const table = new NetworkTable(ranges.map((cidr) => ({ cidr })))
      for (const each of addresses) {
        const longest = ranges
          .filter((cidr) => contains(cidr, each))
          .toSorted((a, b) => b.bits - a.bits)
          .at(0)
        expect(table.find(each)?.cidr.bits).toBe(longest?.bits)
      }
    }),
    { numRuns: 500 },
  )
})

test('ranges from one address to another are split into those that a list can have', () => {
  const between = (from: string, to: string) => cidrsBetween(address(from), address(to))?.map(cidrText)
  expect(between('203.0.113.0', '203.0.113.255')).toEqual(['203.0.113.0/24'])
  expect(between('203.0.113.5', '203.0.113.8')).toEqual(['203.0.113.5/32', '203.0.113.6/31', '203.0.113.8/32'])
  expect(between('0.0.0.0', '255.255.255.255')).toEqual(['0.0.0.0/0'])
  expect(between('2001:db8::', '2001:db8:1::')).toEqual(['2001:db8::/48', '2001:db8:1::/128'])
  expect(between('203.0.113.8', '203.0.113.5')).toBeUndefined()
  expect(between('203.0.113.8', '::1')).toBeUndefined()
})

test('ranges inside others or beside each other are merged', () => {
  const merge = (...texts: string[]) => mergeCidrs(texts.map(cidr)).map(cidrText)
  expect(merge('203.0.113.128/25', '2001:db8::/33', '203.0.113.0/25', '203.0.113.7', '2001:db8:8000::/33')).toEqual([
    '203.0.113.0/24',
    '2001:db8::/32',
  ])
  expect(merge('203.0.113.1', '203.0.113.2', '203.0.113.4')).toEqual([
    '203.0.113.1/32',
    '203.0.113.2/32',
    '203.0.113.4/32',
  ])
  expect(merge('255.255.255.255', '255.255.255.254', '::/128')).toEqual(['255.255.255.254/31', '::/128'])
})

test('merged ranges contain the same addresses, and none touches what it could be merged with', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 30 }), fc.array(someAddress, { minLength: 1 }), (ranges, addresses) => {
      const merged = mergeCidrs(ranges)
      for (const each of addresses)
        expect(merged.some((cidr) => contains(cidr, each))).toBe(ranges.some((cidr) => contains(cidr, each)))
      for (const [i, one] of merged.entries())
        for (const other of merged.slice(i + 1))
          expect([overlap(one, other), overlap(other, one)]).toEqual([false, false])
      expect(mergeCidrs(merged)).toEqual(merged)
    }),
    { numRuns: 300 },
  )
})

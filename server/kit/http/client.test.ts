import { describe, expect, test } from 'vitest'
import { ClientAddress, networkLimits } from './client.ts'
import { trustOf } from './peer.ts'

const networkOf = (text: string) => new ClientAddress(text).network

describe('all notations of an address are one network', () => {
  test.each([
    ['as it is', '203.0.113.7'],
    ['with a port', '203.0.113.7:51234'],
    ['mapped into IPv6', '::ffff:203.0.113.7'],
    ['mapped into IPv6, in hex', '::ffff:cb00:7107'],
    ['mapped into IPv6, in full', '0:0:0:0:0:FFFF:CB00:7107'],
    ['through NAT64', '64:ff9b::203.0.113.7'],
    ['through NAT64, in hex', '64:ff9b::cb00:7107'],
    ['mapped, in brackets, with a port', '[::ffff:203.0.113.7]:443'],
  ])('of IPv4 %s', (_how, address) => expect(networkOf(address)).toBe('203.0.113.7'))

  test.each([
    ['as it is', '2001:db8:1:2::9'],
    ['in capitals and in full', '2001:0DB8:0001:0002:0000:0000:0000:0001'],
    ['another of the same /64', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['in brackets', '[2001:db8:1:2::1]'],
    ['in brackets, with a port', '[2001:db8:1:2::1]:51234'],
    ['with a zone', '2001:db8:1:2::1%eth0'],
  ])('of IPv6 %s', (_how, address) => expect(networkOf(address)).toBe('2001:db8:1:2::/64'))
})

test('distinguishes networks', () => {
  expect(
    new Set(['203.0.113.8', '2001:db8:1:3::1', '2001:db8:1:2::1', '64:ff9b:1::cb00:7107'].map(networkOf)).size,
  ).toBe(4)
})

test('treats all invalid addresses as one network', () => {
  for (const text of ['', 'unknown', '_gazonk', '203.0.113', '1', '0x7f.1', '203.0.113.7:51234:1', '[::1', '::1]:2'])
    expect(networkOf(text)).toBe('unknown')
  // Node.js no longer knows the peer of a client that has hung up
  expect(networkOf(undefined as unknown as string)).toBe('unknown')
})

test('trusts a proxy in every notation of its address, and no other', () => {
  const trusts = trustOf(['10.0.0.0/8', '::ffff:192.0.2.1', '2001:db8::/32'])
  for (const proxy of [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '10.1.2.3:4444',
    '192.0.2.1',
    '2001:db8:7::1',
    '[2001:db8::1]:80',
  ])
    expect([proxy, trusts(proxy)]).toEqual([proxy, true])
  for (const other of ['11.0.0.1', '192.0.2.2', '2001:db9::1', 'unknown', ''])
    expect([other, trusts(other)]).toEqual([other, false])
})

test.each([
  ['::ffff:10.0.0.0/104', ['10.1.2.3', '::ffff:10.1.2.3', '[::ffff:a01:203]:80'], ['11.0.0.1', '::1']],
  ['64:ff9b::10.0.0.0/104', ['10.1.2.3', '64:ff9b::a01:203'], ['11.0.0.1']],
  ['64:ff9b::/96', ['64:ff9b::a00:1'], ['64:ff9c::1']],
  ['10.0.0.0/8', ['::ffff:10.1.2.3', '::FFFF:10.1.2.3'], ['::ffff:11.0.0.1']],
  ['fe80::/10', ['fe80::1%eth0'], ['fec0::1']],
])('a range has one meaning in every notation: %s', (range, inside, outside) => {
  for (const address of inside) expect([address, trustOf([range])(address)]).toEqual([address, true])
  for (const address of outside) expect([address, trustOf([range])(address)]).toEqual([address, false])
})

test('a limit per network counts an IPv6 address for its /56 and /48 too, with wider points', () => {
  const rule = { name: 'network', points: 60, duration: 60 }
  const [tight, wider, widest] = networkLimits(rule, new ClientAddress('2001:db8:1:1f2::9'), 'site')
  expect(tight).toEqual([rule, 'site 2001:db8:1:1f2::/64'])
  expect(wider).toEqual([{ ...rule, name: 'network-56', points: 240 }, 'site 2001:db8:1:100::/56'])
  expect(widest).toEqual([{ ...rule, name: 'network-48', points: 960 }, 'site 2001:db8:1::/48'])
  expect(networkLimits(rule, new ClientAddress('::ffff:203.0.113.7'))).toEqual([[rule, '203.0.113.7']])
  expect(networkLimits(rule, new ClientAddress('no address'))).toEqual([[rule, 'unknown']])
})

test('names all networks of an address that are counted', () => {
  const networks = (address: string) =>
    new ClientAddress(address).networks.map(({ prefix, network }) => `${prefix} ${network}`)
  expect(networks('203.0.113.7')).toEqual(['v4/32 203.0.113.7', 'v4/24 203.0.113.0/24'])
  expect(networks('::ffff:203.0.113.7')).toEqual(networks('203.0.113.7'))
  expect(networks('2001:db8:1:1f2::9')).toEqual([
    'v6/64 2001:db8:1:1f2::/64',
    'v6/56 2001:db8:1:100::/56',
    'v6/48 2001:db8:1::/48',
    'v6/32 2001:db8::/32',
  ])
  expect(networks('no address')).toEqual(['v4/32 unknown'])
})

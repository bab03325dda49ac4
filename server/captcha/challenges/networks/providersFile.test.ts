import { expect, test } from 'vitest'
import { cidrText } from '../../../kit/http/address.ts'
import { formatProviders, parseProviders } from './providersFile.ts'

const parsed = (text: string) =>
  parseProviders(text).map(({ name, origin, ranges }) => ({ name, origin, ranges: ranges.map(cidrText) }))

test('the lines of a provider are its ranges together, and a comment says where they are from', () => {
  expect(
    parsed(
      '# a list\r\n# aws: https://aws.example/list.json, read 2026-08-22\r\naws 198.51.100.0/24 2001:db8::/32\r\n\r\nown-cloud.eu 203.0.113.7 # one machine\r\naws\t192.0.2.0/24',
    ),
  ).toEqual([
    {
      name: 'aws',
      origin: { source: 'https://aws.example/list.json', how: 'read', date: '2026-08-22' },
      ranges: ['198.51.100.0/24', '2001:db8::/32', '192.0.2.0/24'],
    },
    { name: 'own-cloud.eu', origin: undefined, ranges: ['203.0.113.7/32'] },
  ])
  expect(parsed('')).toEqual([])
})

test.each([
  ['203.0.113.0/24', 'line 2: the name of the provider is missing. Write it before 203.0.113.0/24'],
  ['Example, Inc. 203.0.113.0/24', 'line 2: "Example," is not the name of a provider: use lower-case letters'],
  ['example', 'line 2: example has no ranges. Add some behind its name, or remove the line.'],
  ['example 203.0.113.0/24,192.0.2.0/24', 'line 2: "203.0.113.0/24,192.0.2.0/24" is not an address or a range'],
  ['example AS64500', 'line 2: "AS64500" is not an address or a range'],
  ['example 3.0.0.0/7', 'line 2: 2.0.0.0/7 is wider than /8. Split it, or remove it.'],
  ['example 2000::/3', 'line 2: 2000::/3 is wider than /16. Split it, or remove it.'],
  ['{"prefixes": []}', 'line 2: "{"prefixes":" is not the name of a provider'],
])('names the line of %j and the reason', (line, message) => {
  expect(() => parseProviders(`first 192.0.2.0/24\n${line}\n!`)).toThrow(message)
})

test('a list is written with merged ranges, a line for each family, and read as it was written', () => {
  const text = formatProviders(
    parseProviders(
      '# aws: https://aws.example/, read 2026-08-22\naws 2001:db8:8000::/33 203.0.113.128/25 203.0.113.0/25 203.0.113.7 2001:db8::/33\nown 192.0.2.0/24',
    ),
  )
  const [heading, ...lines] = text.split('\n')
  expect(heading).toMatch(/^# /)
  expect(lines).toEqual([
    '# aws: https://aws.example/, read 2026-08-22',
    'aws 203.0.113.0/24',
    'aws 2001:db8::/32',
    'own 192.0.2.0/24',
    '',
  ])
  expect(formatProviders(parseProviders(text))).toBe(text)
})

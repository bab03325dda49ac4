import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cidrText } from '../../../kit/http/address.ts'
import { readNetworksFile, readPublishedList } from './file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-networks-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(text: string | Buffer): string {
  const path = join(folder, 'networks.txt')
  writeFileSync(path, text)
  return path
}

test('reads one range a line with its verdict and label, and skips comments', async () => {
  const path = file(
    '\uFEFF# datacenters\r\n203.0.113.0/24 dear AS64500 Example Hosting\r\n\r\n2001:db8::/32\tdeny # a comment\n198.51.100.7 allow office',
  )
  const entries = await readNetworksFile(path)
  expect(entries.map(({ cidr, ...rest }) => ({ network: cidrText(cidr), ...rest }))).toEqual([
    { network: '203.0.113.0/24', verdict: 'dear', label: 'AS64500 Example Hosting', line: 2 },
    { network: '2001:db8::/32', verdict: 'deny', label: '', line: 4 },
    { network: '198.51.100.7/32', verdict: 'allow', label: 'office', line: 5 },
  ])
})

test.each([
  ['AS64500 dear', 'line 2: "AS64500" is the number of a provider, which is not looked up.'],
  ['203.0.113.0/33 dear', 'line 2: "203.0.113.0/33" is not an address or a range'],
  ['3.0.0.0/7 deny', 'line 2: 2.0.0.0/7 is wider than /8.'],
  ['2000::/3 dear', 'line 2: 2000::/3 is wider than /16.'],
  ['203.0.113.0/24', 'line 2: the verdict is missing: use allow, dear, deny.'],
  ['203.0.113.0/24 block', 'line 2: "block" is not a verdict'],
])('names the line of %j and the reason', async (line, message) => {
  await expect(readNetworksFile(file(`203.0.113.0/24 dear\n${line}\nnonsense\n`))).rejects.toThrow(message)
})

test('says that a missing file or a folder cannot be read', async () => {
  await expect(readNetworksFile(join(folder, 'none'))).rejects.toThrow('it cannot be read (ENOENT).')
  await expect(readNetworksFile(folder)).rejects.toThrow('it cannot be read (EISDIR).')
})

/** The entries of a file with these lines, as `range verdict label`. */
const read = async (content: string | Buffer) =>
  (await readNetworksFile(file(content))).map(({ cidr, verdict, label }) =>
    `${cidrText(cidr)} ${verdict} ${label}`.trim(),
  )

test.each([
  ['a label with #', '203.0.113.0/24 dear Hosting #1 GmbH', ['203.0.113.0/24 dear Hosting #1 GmbH']],
  ['a comment behind a label', '203.0.113.0/24 dear Hosting #1 # old', ['203.0.113.0/24 dear Hosting #1']],
  ['a comment behind the verdict', '203.0.113.0/24 deny #spam', ['203.0.113.0/24 deny']],
  [
    'Spamhaus',
    '; list of 2026\n203.0.113.0/24 deny x ; SBL1\n198.51.100.0/24 deny ;SBL2',
    ['203.0.113.0/24 deny x', '198.51.100.0/24 deny'],
  ],
  [
    'nginx',
    'deny 203.0.113.0/24;\nallow 198.51.100.7; # office\n  deny  2001:db8::/32 ;',
    ['203.0.113.0/24 deny', '198.51.100.7/32 allow', '2001:db8::/32 deny'],
  ],
  [
    'CSV',
    '203.0.113.0/24,deny,"Example, Inc."\n"198.51.100.0/24","dear"',
    ['203.0.113.0/24 deny Example, Inc.', '198.51.100.0/24 dear'],
  ],
  ['CSV of a spreadsheet in Europe', '203.0.113.0/24;deny;Beispiel GmbH\r\n', ['203.0.113.0/24 deny Beispiel GmbH']],
  [
    'first and last address',
    '203.0.113.0-203.0.113.255 deny a\n198.51.100.4 - 198.51.100.6 dear',
    ['203.0.113.0/24 deny a', '198.51.100.4/31 dear', '198.51.100.6/32 dear'],
  ],
  [
    'first and last address in two columns',
    '2001:db8::,2001:db8:0:ffff:ffff:ffff:ffff:ffff,deny',
    ['2001:db8::/48 deny'],
  ],
  [
    'IPv4 as IPv6',
    '::ffff:203.0.113.0/120 deny\n64:ff9b::c633:6400/120 deny',
    ['203.0.113.0/24 deny', '198.51.100.0/24 deny'],
  ],
  ['the same line twice', '203.0.113.0/24 deny a\n203.0.113.9/24 deny b', ['203.0.113.0/24 deny a']],
  ['UTF-16', Buffer.from('\uFEFF203.0.113.0/24 dear Größe\r\n', 'utf16le'), ['203.0.113.0/24 dear Größe']],
  ['UTF-16, big-endian', Buffer.from('\uFEFF203.0.113.0/24 dear x\r\n', 'utf16le').swap16(), ['203.0.113.0/24 dear x']],
  ['old line ends', '203.0.113.0/24 dear a\r198.51.100.0/24 deny\r', ['203.0.113.0/24 dear a', '198.51.100.0/24 deny']],
])('reads %s', async (_what, content, entries) => {
  expect(await read(content)).toEqual(entries)
})

test.each([
  ['203.0.113.0/24', '`networks check --verdict VERDICT FILE` adds one to each line.'],
  ['network,verdict\n203.0.113.0/24,deny', 'line 1: "network" is not an address or a range'],
  ['deny all;', 'line 1: "all" is not an address or a range'],
  ['203.0.113.9-203.0.113.1 deny', 'line 1: "203.0.113.9-203.0.113.1" is not an address or a range'],
  ['::ffff:0:0/90 deny', 'line 1: "::ffff:0:0/90" is not an address or a range'],
  ['{"prefixes": []}', 'line 1: this is JSON. Write its ranges as lines'],
  [Buffer.from('203.0.113.0/24 deny', 'utf16le'), 'Save it as UTF-8.'],
])('says what to do about %j', async (content, message) => {
  await expect(read(content)).rejects.toThrow(message)
})

test.each([
  [
    'FireHOL',
    '#\n# firehol_level1\n#\n203.0.113.0/24\n224.0.0.0/3\n198.51.100.7\n',
    ['203.0.113.0/24', '198.51.100.7/32'],
    ['224.0.0.0/3'],
  ],
  ['Spamhaus DROP', '; Spamhaus DROP List\n203.0.113.0/24 ; SBL256894\n', ['203.0.113.0/24'], []],
  ['Cloudflare', '203.0.113.0/24\n2001:db8::/32', ['203.0.113.0/24', '2001:db8::/32'], []],
  [
    'AWS',
    '{"syncToken":"1","prefixes":[{"ip_prefix":"203.0.113.0/24","region":"eu"}],"ipv6_prefixes":[{"ipv6_prefix":"2001:db8::/32"}]}',
    ['203.0.113.0/24', '2001:db8::/32'],
    [],
  ],
  ['Google', '{\n "prefixes": [{\n "ipv4Prefix": "203.0.113.0/24"\n }]\n}', ['203.0.113.0/24'], []],
  [
    'Azure',
    '\uFEFF{"values":[{"properties":{"addressPrefixes":["203.0.113.0/24","2001:db8::/32"]}}]}',
    ['203.0.113.0/24', '2001:db8::/32'],
    [],
  ],
  [
    'GeoLite2',
    'network,autonomous_system_number,autonomous_system_organization\n203.0.113.0/24,64500,"Example, Inc."',
    ['203.0.113.0/24'],
    [],
  ],
  ['addresses from and to', '"203.0.113.0","203.0.113.127","DE"', ['203.0.113.0/25'], []],
])('reads the list of %s with one verdict for all', async (_who, content, ranges, leftOut) => {
  const list = await readPublishedList(file(content), 'deny')
  expect(list.entries.map(({ cidr, verdict }) => [cidrText(cidr), verdict])).toEqual(
    ranges.map((range) => [range, 'deny']),
  )
  expect(list.leftOut).toEqual(leftOut)
})

test('a published list keeps its own verdicts and labels, and must have a range', async () => {
  const { entries } = await readPublishedList(
    file('203.0.113.0/24 allow office\n198.51.100.0/24 64500 Example'),
    'dear',
  )
  expect(entries.map(({ verdict, label }) => [verdict, label])).toEqual([
    ['allow', 'office'],
    ['dear', '64500 Example'],
  ])
  for (const content of ['', '# nothing', '{"prefixes":[]}', '224.0.0.0/3'])
    await expect(readPublishedList(file(content), 'deny')).rejects.toThrow('it has no range that a list may have.')
  await expect(readPublishedList(file('{"prefixes": ['), 'deny')).rejects.toThrow('it begins as JSON and is not valid')
  await expect(readPublishedList(file('203.0.113.0/24\nexample.com'), 'deny')).rejects.toThrow('line 2: "example.com"')
})

test('names the lines that contradict each other, of which the strictest counts', async () => {
  const sentences: string[] = []
  const path = file('203.0.113.0/24 allow a\n\n203.0.113.7/24 deny b\n::ffff:203.0.113.0/120 dear\n198.51.100.7 dear')
  const entries = await readNetworksFile(path, (found) => sentences.push(...found))
  expect(entries.map(({ cidr, verdict, line }) => [cidrText(cidr), verdict, line])).toEqual([
    ['203.0.113.0/24', 'deny', 3],
    ['198.51.100.7/32', 'dear', 5],
  ])
  expect(sentences).toEqual([
    '203.0.113.0/24 is allow in line 1 and deny in line 3. Remove one of the two lines.',
    '203.0.113.0/24 is deny in line 3 and dear in line 4. Remove one of the two lines.',
  ])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cidrText } from '../../../kit/cidr.ts'
import { readNetworksFile } from './file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-networks-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(text: string): string {
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

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../../../test/support/app.ts'
import { readConfig } from '../../../kit/config/config.ts'
import { type Context, Resources } from '../../../kit/context.ts'
import { parseAddress } from '../../../kit/http/address.ts'
import { providerOf, readProviders, SHIPPED_PROVIDERS } from './providers.ts'
import { formatProviders } from './providersFile.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-providers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(text: string): string {
  const path = join(folder, 'providers.txt')
  writeFileSync(path, text)
  return path
}

/** Looks addresses up as a node with these settings does. */
function node(settings: Record<string, string> = {}) {
  const config = readConfig(settings)
  const ctx: Pick<Context, 'resources'> = { resources: new Resources(() => ({ config }) as Context) }
  return (address: string) => providerOf(ctx, parseAddress(address))
}

test('hosting providers and tunnels are found in the list that is shipped, and households are not', () => {
  const find = node()
  expect([
    find('2001:470::1'),
    find('[2001:470:1f10:1178::2]:443'),
    find('2002:cb00:7101::1'),
    find('2001:0:4136:e378::1'),
  ]).toEqual(['hurricane-electric', 'hurricane-electric', '6to4', 'teredo'])
  for (const [address, name] of [
    ['3.5.140.2', 'aws'],
    ['13.32.0.1', undefined],
    ['34.118.0.1', 'google-cloud'],
    ['20.50.2.1', 'azure'],
    ['159.65.10.1', 'digitalocean'],
    ['172.105.0.1', 'linode'],
    ['45.76.1.1', 'vultr'],
    ['95.216.1.1', 'hetzner'],
    ['2a01:4f8:c0c::1', 'hetzner'],
    ['51.254.1.1', 'ovh'],
  ])
    expect([address, find(String(address))]).toEqual([address, name])
  // of Deutsche Telekom, Comcast, Orange and BT
  for (const household of ['91.0.0.1', '73.0.0.1', '90.0.0.1', '86.128.0.1', '2003:c0::1', '2601::1', '2a01:cb00::1'])
    expect([household, find(household)]).toEqual([household, undefined])
  // of iCloud Private Relay and WARP, which carry people
  for (const relay of ['172.224.224.1', '104.28.0.1', '2a09:bac0::1', '2606:54c0::1'])
    expect([relay, find(relay)]).toEqual([relay, undefined])
  for (const none of ['127.0.0.1', '::1', '10.0.0.1', 'unknown', ''])
    expect([none, find(none)]).toEqual([none, undefined])
})

test('the list that is shipped is small, merged, and says where each provider’s ranges are from', () => {
  const providers = readProviders(SHIPPED_PROVIDERS)
  expect(statSync(SHIPPED_PROVIDERS).size).toBeLessThan(600_000)
  expect(readFileSync(SHIPPED_PROVIDERS, 'utf8')).toBe(formatProviders(providers))
  for (const { name, origin } of providers)
    expect([name, origin]).toEqual([
      name,
      {
        source: expect.stringMatching(/^https:/),
        how: expect.stringMatching(/^(?:compared|known)$/),
        date: expect.stringMatching(/^20\d\d-/),
      },
    ])
})

test('PROVIDERS_FILE replaces the list that is shipped, and an empty file switches it off', () => {
  const own = node({ PROVIDERS_FILE: file('example 203.0.113.0/24\nsmaller 203.0.113.128/25 2001:db8::/32') })
  expect([own('203.0.113.7'), own('::ffff:203.0.113.200'), own('2001:db8::1'), own('2001:470::1')]).toEqual([
    'example',
    'smaller',
    'smaller',
    undefined,
  ])
  expect(node({ PROVIDERS_FILE: file('') })('2001:470::1')).toBeUndefined()
})

test('a node does not start with a wrong PROVIDERS_FILE, and says what to correct', async () => {
  const path = file('example 203.0.113.0/24\nexample AS64500\n')
  await expect(openTestApp({ PROVIDERS_FILE: path })).rejects.toThrow(
    `PROVIDERS_FILE (${path}), line 2: "AS64500" is not an address or a range`,
  )
  const none = join(folder, 'none')
  await expect(openTestApp({ PROVIDERS_FILE: none })).rejects.toThrow(
    `PROVIDERS_FILE (${none}), it cannot be read (ENOENT). It must be a file that the service may read.`,
  )
})

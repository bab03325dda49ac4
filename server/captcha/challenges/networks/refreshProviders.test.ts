import { afterEach, beforeEach, expect, test } from 'vitest'
import { openListServer } from '../../../../test/support/listServer.ts'
import { cidrText } from '../../../kit/http/address.ts'
import type { Provider } from './providersFile.ts'
import { formatProviders, parseProviders } from './providersFile.ts'
import { refreshProviders } from './refreshProviders.ts'

let server: Awaited<ReturnType<typeof openListServer>>
beforeEach(async () => {
  server = await openListServer()
})
afterEach(() => server.close())

const refresh = (present: readonly Provider[]) => refreshProviders(present, server.sources, '2026-11-25')
const rangesOf = (providers: readonly Provider[], name: string) =>
  providers.find((provider) => provider.name === name)?.ranges.map(cidrText)

test('the lists of all providers are read in their formats and merged', async () => {
  const { providers, failures, leftOut } = await refresh([])
  expect(failures).toEqual([])
  expect(Object.fromEntries(providers.map(({ name }) => [name, rangesOf(providers, name)]))).toEqual({
    aws: ['3.80.0.0/13', '2600:1f18::/33'],
    'google-cloud': ['34.35.0.0/16', '2600:1900:4000::/44'],
    azure: ['20.33.0.0/16', '2603:1030::/40'],
    'oracle-cloud': ['129.80.0.0/16'],
    digitalocean: ['5.101.96.0/21', '2604:a880::/48'],
    linode: ['45.33.0.0/17', '2600:3c00::/32'],
    vultr: ['45.32.0.0/20', '2001:19f0::/38'],
    hetzner: ['5.9.0.0/16', '2a01:4f8::/32'],
    ovh: ['51.38.0.0/16', '2001:41d0::/32'],
    scaleway: ['51.15.0.0/16'],
    contabo: ['144.91.64.0/18'],
  })
  expect(leftOut).toEqual([
    { name: 'vultr', range: '2001:db8::/32' },
    { name: 'vultr', range: '10.0.0.0/8' },
  ])
  const again = parseProviders(formatProviders(providers))
  expect(again.map(({ origin }) => origin)).toEqual(
    server.sources.map(({ url }) => ({ source: url, how: 'read', date: '2026-11-25' })),
  )
})

const present = parseProviders(
  `# aws: https://aws.example/, read 2026-01-01\naws 52.0.0.0/13 2600:1f00::/40\nvultr 45.32.0.0/16\n# 6to4: https://rfc.example/, read 2025-01-01\n6to4 2002::/16\n`,
)

test.each<[what: string, name: string, answer: string | number, reason: string]>([
  ['an error', 'aws', 503, 'the server answered 503'],
  ['HTML', 'aws', '<!DOCTYPE html>\n<title>Moved</title>', 'the answer is a page of HTML, not the list'],
  ['half of a list', 'aws', '{"prefixes": [\n', 'the answer is not valid JSON: '],
  [
    'another format',
    'aws',
    '{"ranges": ["52.0.0.0/11"]}',
    'it has no ranges of the internet; its format may have changed',
  ],
  ['nothing', 'vultr', '', 'it has no ranges of the internet'],
  ['all of the internet', 'vultr', '0.0.0.0/0\n::/0\n', 'it has no ranges of the internet'],
  ['private ranges', 'vultr', '192.168.0.0/16\nfd00::/8\n172.0.0.0/8\n', 'it has no ranges of the internet'],
  ['a text', 'vultr', 'Too many requests', 'line 1 begins with "Too"'],
  ['a third of the list', 'vultr', '45.32.0.0/18\n', 'it has 25 % of the IPv4 addresses that it had before'],
  [
    'a list without IPv6',
    'aws',
    '{"prefixes": [{"ip_prefix": "52.0.0.0/13", "service": "EC2"}]}',
    'it has 0 % of the IPv6 addresses',
  ],
])(
  'a provider that answers with %s keeps its ranges, and the others are refreshed',
  async (_what, name, answer, reason) => {
    server.lists[name] = answer
    const { providers, failures } = await refresh(present)
    const former = present.find((provider) => provider.name === name)
    expect(failures.map((failure) => [failure.name, failure.reason, failure.kept])).toContainEqual([
      name,
      expect.stringContaining(reason),
      former,
    ])
    expect(providers.find((provider) => provider.name === name)).toEqual(former)
    expect(rangesOf(providers, 'google-cloud')).toEqual(['34.35.0.0/16', '2600:1900:4000::/44'])
    expect(rangesOf(providers, '6to4')).toEqual(['2002::/16'])
  },
)

test('a list of half of the addresses is taken over', async () => {
  server.lists['vultr'] = '45.32.0.0/17'
  const { providers, failures } = await refresh(present.filter(({ name }) => name === 'vultr'))
  expect([failures, rangesOf(providers, 'vultr')]).toEqual([[], ['45.32.0.0/17']])
})

test('a page without a link and a server that is away are failures of a provider without ranges', async () => {
  server.lists['azure'] = '<!DOCTYPE html><title>Download</title>'
  const linked = await refresh([])
  expect(linked.failures.map(({ name, reason, kept }) => [name, reason, kept])).toEqual([
    ['azure', 'the page has no link to the list', undefined],
  ])
  expect(linked.providers.some(({ name }) => name === 'azure')).toBe(false)
  await server.close()
  const { failures, providers } = await refresh(present)
  expect(failures.map(({ name }) => name).toSorted()).toEqual(server.sources.map(({ name }) => name).toSorted())
  // the latter on a connection that was open before
  for (const { reason } of failures) expect(reason).toMatch(/^(ECONNREFUSED|UND_ERR_SOCKET)$/)
  expect(providers).toEqual(present)
})

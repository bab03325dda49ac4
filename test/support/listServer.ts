import { createServer } from 'node:http'
import { PROVIDER_SOURCES, type ProviderSource } from '../../server/captcha/challenges/networks/providerSources.ts'

const announced = (...prefixes: string[]) =>
  JSON.stringify({ status: 'ok', data: { prefixes: prefixes.map((prefix) => ({ prefix, timelines: [] })) } })

/** A small list of each provider in its own format, and the page that links to Azure's, by path. */
const LISTS: Record<string, string> = {
  aws: JSON.stringify({
    syncToken: '1787411825',
    createDate: '2026-08-22-15-17-05',
    prefixes: [
      { ip_prefix: '3.80.0.0/13', region: 'us-east-1', service: 'AMAZON', network_border_group: 'us-east-1' },
      { ip_prefix: '3.80.0.0/13', region: 'us-east-1', service: 'EC2', network_border_group: 'us-east-1' },
      { ip_prefix: '13.32.0.0/15', region: 'GLOBAL', service: 'CLOUDFRONT', network_border_group: 'GLOBAL' },
    ],
    ipv6_prefixes: [
      { ipv6_prefix: '2600:1f18::/33', region: 'us-east-1', service: 'EC2', network_border_group: 'us-east-1' },
    ],
  }),
  'google-cloud': JSON.stringify({
    syncToken: '1753409788780',
    creationTime: '2025-07-24T19:16:28.780563',
    prefixes: [
      { ipv4Prefix: '34.35.0.0/16', service: 'Google Cloud', scope: 'africa-south1' },
      { ipv6Prefix: '2600:1900:4000::/44', service: 'Google Cloud', scope: 'us-central1' },
    ],
  }),
  azure: '<!DOCTYPE html><a href="/ServiceTags_Public_20260817.json" download>Download</a>',
  'ServiceTags_Public_20260817.json': `\uFEFF${JSON.stringify({
    changeNumber: 363,
    cloud: 'Public',
    values: [
      { name: 'ActionGroup', properties: { region: '', addressPrefixes: ['13.66.60.119/32'] } },
      { name: 'AzureCloud', properties: { region: '', addressPrefixes: ['20.33.0.0/16', '2603:1030::/40'] } },
      { name: 'AzureCloud.uksouth', properties: { region: 'uksouth', addressPrefixes: ['20.33.7.0/24'] } },
    ],
  })}`,
  'oracle-cloud': JSON.stringify({
    last_updated_timestamp: '2026-08-21T07:13:25.457838',
    regions: [
      {
        region: 'us-ashburn-1',
        cidrs: [
          { cidr: '129.80.0.0/16', tags: ['OCI'] },
          { cidr: '134.70.24.0/21', tags: ['OSN', 'OBJECT_STORAGE'] },
        ],
      },
    ],
  }),
  digitalocean: '5.101.96.0/21,NL,NL-NH,Amsterdam,1098 XH\n2604:a880::/48,US,US-NY,New York,10118\n',
  linode:
    '# This file contains a self-published geofeed\n# ip_prefix, alpha2code, region, city, postal_code\n2600:3c00::/32,US,US-TX,Richardson,\n45.33.0.0/17,US,US-CA,Fremont,\n',
  vultr: '45.32.0.0/21\n45.32.8.0/21\n2001:19f0::/38\n2001:db8::/32\n10.0.0.0/8\n',
  hetzner: announced('5.9.0.0/16', '5.9.7.0/24', '2a01:4f8::/32'),
  ovh: announced('51.38.0.0/16', '2001:41d0::/32'),
  scaleway: announced('51.15.0.0/16'),
  contabo: announced('144.91.64.0/18'),
}

/**
 * A server with the lists of all providers. `sources`: PROVIDER_SOURCES with its addresses. `lists`: what it answers, by path, for
 * tests to change; a number is a status.
 */
export async function openListServer(): Promise<{
  sources: ProviderSource[]
  lists: Record<string, string | number>
  close(): Promise<void>
}> {
  const lists: Record<string, string | number> = { ...LISTS }
  const server = createServer((request, reply) => {
    const answer = lists[request.url?.slice(1) ?? ''] ?? 404
    if (typeof answer === 'number') reply.writeHead(answer).end()
    else reply.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    sources: PROVIDER_SOURCES.map((source) => ({ ...source, url: `http://127.0.0.1:${port}/${source.name}` })),
    lists,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

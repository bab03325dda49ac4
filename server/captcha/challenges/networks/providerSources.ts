import type { Cidr } from '../../../kit/http/address.ts'
import { rangesIn } from './file.ts'
import { readLine } from './readLine.ts'

/** Where a provider publishes its ranges. `ranges` throws SyntaxError, or Error with a reason, if the text has another format. */
export type ProviderSource = {
  name: string
  url: string
  /** Finds the address of the list in the text at `url`, for a list whose address changes. */
  link?: RegExp
  ranges: (text: string) => Cidr[]
}

/** The field of a JSON object; undefined if it is none. */
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

/** The rows of an array in a JSON object. */
function rows(value: unknown, name: string): unknown[] {
  const found = field(value, name)
  return Array.isArray(found) ? found : []
}

const json =
  (pick: (document: unknown) => unknown): ProviderSource['ranges'] =>
  (text) =>
    rangesIn(pick(JSON.parse(text)))

/** Of EC2 only: the ranges of CloudFront are those of a relay. */
const aws = json((document) =>
  [...rows(document, 'prefixes'), ...rows(document, 'ipv6_prefixes')].filter((row) => field(row, 'service') === 'EC2'),
)
const google = json((document) => rows(document, 'prefixes'))
/** The tag of all regions; the others are parts of it, and services of Microsoft. */
const azure = json((document) =>
  rows(document, 'values')
    .filter((tag) => field(tag, 'name') === 'AzureCloud')
    .map((tag) => field(field(tag, 'properties'), 'addressPrefixes')),
)
/** `OCI`: of customers' machines. The others are of Oracle's own services. */
const oracle = json((document) =>
  rows(document, 'regions')
    .flatMap((region) => rows(region, 'cidrs'))
    .filter((row) => rows(row, 'tags').includes('OCI')),
)
const announced = json((document) => rows(field(document, 'data'), 'prefixes').map((row) => field(row, 'prefix')))

/** Lines or CSV whose first column is a range, as in a geofeed (RFC 8805). */
function lines(text: string): Cidr[] {
  return text.split(/\r\n|\n|\r/).flatMap((content, i) => {
    const line = readLine(content)
    if (line && !line.ranges) throw new Error(`line ${i + 1} begins with "${line.network.slice(0, 50)}"`)
    return line?.ranges ?? []
  })
}

/** The prefixes that a provider announces, for those that publish no list. */
const announcedBy = (name: string, number: number): ProviderSource => ({
  name,
  url: `https://stat.ripe.net/data/announced-prefixes/data.json?resource=AS${number}`,
  ranges: announced,
})

export const PROVIDER_SOURCES: readonly ProviderSource[] = [
  { name: 'aws', url: 'https://ip-ranges.amazonaws.com/ip-ranges.json', ranges: aws },
  { name: 'google-cloud', url: 'https://www.gstatic.com/ipranges/cloud.json', ranges: google },
  {
    name: 'azure',
    url: 'https://www.microsoft.com/en-us/download/details.aspx?id=56519',
    link: /[^"'\s<>]*\/ServiceTags_Public_\d{8}\.json/,
    ranges: azure,
  },
  { name: 'oracle-cloud', url: 'https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json', ranges: oracle },
  { name: 'digitalocean', url: 'https://www.digitalocean.com/geo/google.csv', ranges: lines },
  { name: 'linode', url: 'https://geoip.linode.com/', ranges: lines },
  { name: 'vultr', url: 'https://geofeed.constant.com/?text', ranges: lines },
  announcedBy('hetzner', 24940),
  announcedBy('ovh', 16276),
  announcedBy('scaleway', 12876),
  announcedBy('contabo', 51167),
]

import ipaddr from 'ipaddr.js'

/** The settings that are judged, as parsed. */
type Settings = {
  DATABASE_URL?: string | undefined
  PUBLIC_URL?: string | undefined
  TRUSTED_PROXIES?: string[] | undefined
  TOLLGATE_KEYS?: { id: string; key: Buffer }[] | undefined
  METRICS_TOKEN?: string | undefined
  DEMO?: 'on' | 'off' | undefined
}

type Fault = { setting: keyof Settings; message: string }

const GENERATE_KEY = `Generate one: node -p "'k1:' + require('crypto').randomBytes(32).toString('base64url')"`
const GENERATE_TOKEN = `Generate one: node -p "require('crypto').randomBytes(24).toString('base64url')"`

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Shorter prefixes are more than any private network: 10.0.0.0/8 and fc00::/7 are the largest ones. */
const WIDEST = { ipv4: 8, ipv6: 7 }

/** IPv6 ranges that contain every IPv4 address: mapped (RFC 4291) and NAT64 (RFC 6052). */
const HOLDS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range))

/** Settings that are fine for an evaluation, but would make a production deployment unsafe. */
export function productionFaults(settings: Settings): Fault[] {
  const { DATABASE_URL, PUBLIC_URL, TRUSTED_PROXIES = [], TOLLGATE_KEYS, METRICS_TOKEN, DEMO } = settings
  const faults: Fault[] = []
  const add = (setting: keyof Settings, message: string) => faults.push({ setting, message })
  if (DEMO === 'on')
    add(
      'DEMO',
      'an evaluation has demo accounts and lets staff sign in without a second factor, so it is not allowed in production. Remove DEMO=on, or remove NODE_ENV=production for an evaluation',
    )
  if (DATABASE_URL && !TOLLGATE_KEYS)
    add(
      'TOLLGATE_KEYS',
      `required in production, because every node must be able to open what another node sealed. ${GENERATE_KEY}`,
    )
  for (const { id, key } of TOLLGATE_KEYS ?? [])
    if (!looksRandom(key))
      add('TOLLGATE_KEYS', `the key ${id} is not random, so others could guess it and forge tokens. ${GENERATE_KEY}`)
  if (PUBLIC_URL?.startsWith('http:') && !LOOPBACK.has(new URL(PUBLIC_URL).hostname))
    add(
      'PUBLIC_URL',
      'must begin with https:// in production, because browsers send passwords, sessions and tokens to it. Behind a proxy that terminates TLS, set the origin that browsers use',
    )
  for (const range of TRUSTED_PROXIES.filter(isTooWide))
    add(
      'TRUSTED_PROXIES',
      `${range} contains addresses of visitors, who could then choose their own address and avoid all limits. List only the addresses of your proxies`,
    )
  if (METRICS_TOKEN === undefined)
    add(
      'METRICS_TOKEN',
      `required in production, because container networks and load balancers make visitors look like a private network. ${GENERATE_TOKEN}`,
    )
  return faults
}

/**
 * Whether 32 bytes can come from a random generator. Refuses few distinct bytes, few distinct steps from byte to byte,
 * text, and keys written in hexadecimal. A random key is refused with a probability below 1e-11.
 */
function looksRandom(key: Buffer): boolean {
  const steps = key.subarray(1).map((byte, i) => byte - (key[i] ?? 0))
  return (
    new Set(key).size >= 16 &&
    new Set(steps).size >= 16 &&
    new Set(key.toString('base64url')).size > 16 &&
    !/^[ -~]*$/.test(key.toString('latin1'))
  )
}

function isTooWide(range: string): boolean {
  if (!range.includes('/')) return false
  const [address, bits] = ipaddr.parseCIDR(range)
  if (address instanceof ipaddr.IPv4) return bits < WIDEST.ipv4
  const embedded = HOLDS_IPV4.find(([network]) => address.match(network, 96))
  return bits < (embedded ? 96 + WIDEST.ipv4 : WIDEST.ipv6)
}

import { type Cidr, parseCidr } from '../http/address.ts'
import type { Environment, SettingName } from './environment.ts'

/** The settings that rules compare. A value is undefined if the setting is not set, or if its text is wrong. */
export type Judged = { values: Partial<Environment>; isSet: (name: SettingName) => boolean }

export type Fault = { setting: SettingName; message: string }

const GENERATE_KEY = `Generate one: node -p "'k1:' + require('crypto').randomBytes(32).toString('base64url')"`
const GENERATE_TOKEN = `Generate one: node -p "require('crypto').randomBytes(24).toString('base64url')"`

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const OF_PROVIDER = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_LABEL',
  'OIDC_DOMAINS',
  'OIDC_STAFF_CLAIM',
  'OIDC_TRUST_AMR',
] as const

/** Shorter prefixes are more than any private network: 10.0.0.0/8 and fc00::/7 are the largest ones. */
const isTooWide = ({ family, bits }: Cidr): boolean => bits < (family === 4 ? 8 : 7)

const WEAK_TOKEN = /change.?me|replace.?me|placeholder|example|password|your.?token|metrics.?token/i

/** What is wrong with one setting beside another. */
export function settingFaults(
  { values, isSet }: Judged,
  { production, evaluation }: { production: boolean; evaluation: boolean },
): Fault[] {
  const faults: Fault[] = []
  const add = (setting: SettingName, message: string) => faults.push({ setting, message })
  for (const setting of ['OWNER_DATABASE_URL', 'DIRECT_URL'] as const)
    if (isSet(setting) && !isSet('DATABASE_URL'))
      add(setting, 'DATABASE_URL is required with it, for the user of the service')
  if (isSet('KEEP_DECISIONS_DAYS') && !isSet('ARCHIVE_DIR'))
    add(
      'ARCHIVE_DIR',
      'required with KEEP_DECISIONS_DAYS: the directory that decisions are written to before they are deleted',
    )
  if (isSet('OIDC_ISSUER'))
    for (const setting of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const)
      if (!isSet(setting)) add(setting, 'required with OIDC_ISSUER: the provider gives it to the client')
  if (!isSet('OIDC_ISSUER')) {
    for (const setting of OF_PROVIDER)
      if (isSet(setting)) add(setting, 'OIDC_ISSUER is required with it, the identity provider')
    if (values.PASSWORDS === 'off')
      add('PASSWORDS', 'off leaves nobody a way to sign in without OIDC_ISSUER. Set the identity provider as well')
  }
  if (!production && values.EMBEDDED_DATABASE === 'off' && !isSet('DATABASE_URL'))
    add('DATABASE_URL', 'required with EMBEDDED_DATABASE=off')
  if (production || !evaluation) return faults
  if (isSet('DATABASE_URL') && !isSet('SHOP_DATABASE_URL'))
    add(
      'SHOP_DATABASE_URL',
      'required with DEMO=on and DATABASE_URL: an empty database for the demo shop, and a user without rights on the database of DATABASE_URL',
    )
  if ((values.WORKERS ?? 1) !== 1)
    add(
      'WORKERS',
      `an evaluation runs in one process, which keeps its e-mails in memory, not "${values.WORKERS}". Set DEMO=off as well`,
    )
  if (values.PORT !== undefined && values.PORT > 0 && values.PORT === values.SHOP_PORT)
    add('SHOP_PORT', `${values.SHOP_PORT} is also PORT. Choose another one for the demo shop`)
  return faults
}

/** Settings that are fine for an evaluation, but would make a production deployment unsafe. */
export function productionFaults({ values, isSet }: Judged): Fault[] {
  const { OIDC_ISSUER, PUBLIC_URL, TRUSTED_PROXIES = [], TOLLGATE_KEYS, METRICS_TOKEN } = values
  const faults: Fault[] = []
  const add = (setting: SettingName, message: string) => faults.push({ setting, message })
  if (values.DEMO === 'on')
    add(
      'DEMO',
      'an evaluation has demo accounts and lets staff sign in without a second factor, so it is not allowed in production. Remove DEMO=on, or remove NODE_ENV=production for an evaluation',
    )
  if (!isSet('DATABASE_URL') && values.EMBEDDED_DATABASE !== 'on')
    add(
      'DATABASE_URL',
      'required in production, because an empty database in DATA_DIR would be used otherwise. Set it, or EMBEDDED_DATABASE=on for the PostgreSQL in DATA_DIR',
    )
  if (isSet('DATABASE_URL') && !isSet('TOLLGATE_KEYS'))
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
      `must begin with https:// in production, not "${PUBLIC_URL}", because browsers send passwords, sessions and tokens to it. Behind a proxy that terminates TLS, set the origin that browsers use`,
    )
  if (OIDC_ISSUER?.startsWith('http:') && !LOOPBACK.has(new URL(OIDC_ISSUER).hostname))
    add('OIDC_ISSUER', 'must begin with https:// in production, because its answers decide who may sign in')
  for (const range of TRUSTED_PROXIES) {
    const cidr = parseCidr(range)
    if (cidr && isTooWide(cidr))
      add(
        'TRUSTED_PROXIES',
        `${range} contains addresses of visitors, who could then choose their own address and avoid all limits. List only the addresses of your proxies`,
      )
  }
  if (!isSet('METRICS_TOKEN'))
    add(
      'METRICS_TOKEN',
      `required in production, because container networks and load balancers make visitors look like a private network. ${GENERATE_TOKEN}`,
    )
  if (METRICS_TOKEN !== undefined && (new Set(METRICS_TOKEN).size < 8 || WEAK_TOKEN.test(METRICS_TOKEN)))
    add('METRICS_TOKEN', `is not random, so others could guess it. ${GENERATE_TOKEN}`)
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

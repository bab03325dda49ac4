import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { OperatorError } from '../error.ts'
import { type Config, readConfig } from './config.ts'

/** Valid settings of a production node. */
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate',
  PUBLIC_URL: 'https://tollgate.example',
  TOLLGATE_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  METRICS_TOKEN: 'q7Jr2vXmPz0LwT8a',
}

const DATABASE = { DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate' }
const SHOP = { SHOP_DATABASE_URL: 'postgresql://s:p@db.example:5432/shop' }

test.each<[what: string, env: Record<string, string>, config: Partial<Config>]>([
  [
    'an evaluation with an embedded database',
    {},
    {
      databaseUrl: undefined,
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      shopPort: 3001,
      demo: true,
      grants: true,
      staffNeeds2fa: false,
      shutdownDelay: 0,
      testKeysPerMinute: 60,
      testKeysPerSecond: 20,
      unknownSecretsPerMinute: 30,
      supportUnitsMax: 100_000,
    },
  ],
  ['an evaluation without grants', { GRANTS: 'off' }, { demo: true, grants: false }],
  ['no evaluation', { DEMO: 'off' }, { demo: false, host: '127.0.0.1', staffNeeds2fa: true }],
  ['development', { NODE_ENV: 'development' }, { host: '127.0.0.1' }],
  ['a database', DATABASE, { demo: false, grants: false, host: '127.0.0.1', staffNeeds2fa: true }],
  ['a database and grants', { ...DATABASE, GRANTS: 'on' }, { demo: false, grants: true }],
  ['an evaluation on a database', { ...DATABASE, ...SHOP, DEMO: 'on' }, { demo: true, grants: true }],
  ['production', PRODUCTION, { demo: false, grants: false, shutdownDelay: 5 }],
  [
    'production with an embedded database',
    { ...PRODUCTION, DATABASE_URL: '', EMBEDDED_DATABASE: 'on' },
    { demo: false, host: '0.0.0.0' },
  ],
  [
    'production on one address',
    { ...PRODUCTION, HOST: '10.0.0.5', SHUTDOWN_DELAY: '0' },
    { host: '10.0.0.5', shutdownDelay: 0 },
  ],
  ['all addresses', { HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
])('the settings of %s', (_what, env, config) => {
  expect(readConfig(env)).toMatchObject(config)
})

const PROVIDER = { OIDC_ISSUER: 'https://sso.example', OIDC_CLIENT_ID: 'tollgate', OIDC_CLIENT_SECRET: 's3cret' }

test('the settings of the identity provider come together, and passwords can be off only with it', () => {
  const { oidc, passwords } = readConfig({
    ...PROVIDER,
    OIDC_DOMAINS: 'Example.com, example.org',
    OIDC_STAFF_CLAIM: 'groups:tollgate-leads,https://example.com/roles:urn:a:support=support',
    PASSWORDS: 'off',
  })
  expect(oidc).toEqual({
    issuer: 'https://sso.example',
    clientId: 'tollgate',
    clientSecret: 's3cret',
    label: 'single sign-on',
    domains: ['example.com', 'example.org'],
    staffClaims: [
      { claim: 'groups', value: 'tollgate-leads', level: 'lead' },
      { claim: 'https://example.com/roles', value: 'urn:a:support', level: 'support' },
    ],
    trustAmr: false,
  })
  expect(passwords).toBe(false)
  expect(readConfig({})).toMatchObject({ oidc: undefined, passwords: true })
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const)
    expect(() => readConfig({ ...PROVIDER, [name]: '' })).toThrow(`${name}: required with OIDC_ISSUER`)
  for (const name of ['OIDC_LABEL', 'OIDC_DOMAINS', 'OIDC_CLIENT_ID'])
    expect(() => readConfig({ [name]: 'example' })).toThrow(`${name}: OIDC_ISSUER is required with it`)
  expect(() => readConfig({ PASSWORDS: 'off' })).toThrow(/PASSWORDS: off leaves nobody/)
  expect(() => readConfig({ ...PROVIDER, OIDC_STAFF_CLAIM: 'leads' })).toThrow(/OIDC_STAFF_CLAIM: expected claim:value/)
  expect(() => readConfig({ ...PRODUCTION, ...PROVIDER, OIDC_ISSUER: 'http://sso.example' })).toThrow(
    /OIDC_ISSUER: must begin with https/,
  )
})

test('an evaluation on an external database needs one for the shop, and an owner needs a database', () => {
  const { DATABASE_URL } = DATABASE
  expect(() => readConfig({ DATABASE_URL, DEMO: 'on' })).toThrow(/SHOP_DATABASE_URL: required with DEMO=on/)
  expect(() => readConfig({ OWNER_DATABASE_URL: DATABASE_URL })).toThrow(/OWNER_DATABASE_URL: .*DATABASE_URL/)
  expect(() => readConfig({ DIRECT_URL: DATABASE_URL })).toThrow(/DIRECT_URL: .*DATABASE_URL/)
  expect(readConfig({ DATABASE_URL, OWNER_DATABASE_URL: DATABASE_URL }).ownerDatabaseUrl).toBe(DATABASE_URL)
})

test('refuses production together with DEMO=on', () => {
  for (const DATABASE_URL of ['', PRODUCTION.DATABASE_URL])
    expect(() => readConfig({ ...PRODUCTION, DATABASE_URL, DEMO: 'on' })).toThrow(
      /DEMO: an evaluation .* Remove DEMO=on, or remove NODE_ENV=production for an evaluation/,
    )
  expect(readConfig({ ...PRODUCTION, DEMO: 'off' }).demo).toBe(false)
})

test.each([
  ['SHUTDOWN_DELAY', ['-1', '301', '2.5', '5s'], 'expected whole seconds from 0 to 300'],
  ['TEST_KEYS_PER_SECOND', ['0', '-1', '1.5', 'many'], 'expected'],
  ['KEEP_INTENTS_HOURS', ['25'], 'expected'],
  ['KEEP_NETWORKS_DAYS', ['0'], 'expected'],
  ['KEEP_REFUSALS_DAYS', ['-1'], 'expected'],
])('refuses a value of %s outside its bounds', (name, values, message) => {
  for (const value of values) expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${message}`)
})

test('the published test keys are off in production unless TEST_KEYS=on', () => {
  expect(readConfig({}).testKeys).toBe(true)
  expect(readConfig(DATABASE).testKeys).toBe(true)
  expect(readConfig(PRODUCTION).testKeys).toBe(false)
  expect(readConfig({ ...PRODUCTION, TEST_KEYS: 'on' }).testKeys).toBe(true)
  expect(readConfig({ TEST_KEYS: 'off' }).testKeys).toBe(false)
})

test('refuses an invalid URL or network without showing its password', () => {
  const bad = {
    DATABASE_URL: 'postgresql://u:hun/ter2@db.example:5432/tollgate',
    TOLLGATE_KEYS: 'k1:hunter2',
    REDIS_URL: 'redis://u:hunter2@cache.example:99999',
    SMTP_URL: 'smtp://u:hunter2@mail.example:none',
    PUBLIC_URL: 'https://tollgate.example:99999',
  }
  for (const [name, value] of Object.entries(bad)) {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(OperatorError)
    expect(read).toThrow(new RegExp(`${name}: `))
    expect(read).not.toThrow(/hun/)
  }
  expect(() => readConfig({ PUBLIC_URL: 'https://u:p@tollgate.example' })).toThrow(/PUBLIC_URL: expected an origin/)
  for (const network of ['10.0.0.0/33', '300.1.1.1', '10.0.0', '::/129', 'fc00::1::1'])
    expect(() => readConfig({ TRUSTED_PROXIES: `127.0.0.1,${network}` })).toThrow(/TRUSTED_PROXIES.*expected/)
  const networks = ['10.0.0.0/8', '::1', 'fc00::/7', '192.168.0.1/32']
  expect(readConfig({ TRUSTED_PROXIES: networks.join(', ') }).trustedProxies).toEqual(networks)
})

test('production with an external database requires TOLLGATE_KEYS', () => {
  expect(() => readConfig({ ...PRODUCTION, TOLLGATE_KEYS: '' })).toThrow(/TOLLGATE_KEYS: required/)
  const [key, other] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  expect(readConfig({ ...PRODUCTION, TOLLGATE_KEYS: `k2:${key},k1:${other}` }).keys?.map((k) => k.id)).toEqual([
    'k2',
    'k1',
  ])
  expect(() => readConfig({ ...PRODUCTION, TOLLGATE_KEYS: `k1:${key},k1:${other}` })).toThrow(/share an id/)
})

test.each([
  ['one character', 'A'.repeat(43)],
  ['a repeated word', 'password'.repeat(6).slice(0, 43)],
  ['bytes that are counted up', Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64url')],
  ['hexadecimal digits', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0'],
  ['a sentence', Buffer.from('correct horse battery staple no1').toString('base64url')],
])('production refuses a sealing key that is %s, and does not show it', (_what, key) => {
  const read = () => readConfig({ ...PRODUCTION, TOLLGATE_KEYS: `${PRODUCTION.TOLLGATE_KEYS},k7:${key}` })
  expect(read).toThrow(/TOLLGATE_KEYS: the key k7 is not random.* Generate one: node -p/)
  expect(read).not.toThrow(new RegExp(key))
  expect(readConfig({ TOLLGATE_KEYS: `k7:${key}` }).keys).toHaveLength(1)
})

test('production accepts keys from a random generator', () => {
  const keys = Array.from({ length: 2000 }, () => `k1:${randomBytes(32).toString('base64url')}`)
  expect(keys.map((TOLLGATE_KEYS) => readConfig({ ...PRODUCTION, TOLLGATE_KEYS }).keys?.length)).toEqual(
    keys.map(() => 1),
  )
})

test('production refuses a PUBLIC_URL without TLS, except on this machine', () => {
  expect(() => readConfig({ ...PRODUCTION, PUBLIC_URL: 'http://tollgate.example' })).toThrow(
    /PUBLIC_URL: .*https:\/\/.*Behind a proxy/,
  )
  for (const PUBLIC_URL of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(readConfig({ ...PRODUCTION, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL)
  expect(() => readConfig({ ...PRODUCTION, PUBLIC_URL: 'http://localhost.evil.example' })).toThrow(/PUBLIC_URL/)
  expect(readConfig({ PUBLIC_URL: 'http://tollgate.example' }).production).toBe(false)
})

test('production refuses TRUSTED_PROXIES that contain most of the internet', () => {
  for (const range of ['0.0.0.0/0', '::/0', '128.0.0.0/1', '2000::/3', '::ffff:0.0.0.0/96', '64:ff9b::/96']) {
    const read = () => readConfig({ ...PRODUCTION, TRUSTED_PROXIES: `10.0.0.0/8, ${range}` })
    expect(read).toThrow(`TRUSTED_PROXIES: ${range} `)
    expect(read).toThrow(/List only the addresses of your proxies/)
  }
  const networks = ['10.0.0.0/8', '192.0.2.7', 'fc00::/7', '::ffff:10.0.0.0/104', '2001:db8::1']
  expect(readConfig({ ...PRODUCTION, TRUSTED_PROXIES: networks.join(',') }).trustedProxies).toEqual(networks)
})

test('production requires METRICS_TOKEN', () => {
  expect(() => readConfig({ ...PRODUCTION, METRICS_TOKEN: '' })).toThrow(/METRICS_TOKEN: required .* node -p/)
  expect(readConfig({ METRICS_TOKEN: '' }).metricsToken).toBeUndefined()
})

test('how long data is kept by default', () => {
  expect(readConfig({}).retention).toMatchObject({ intentHours: 26, networkDays: 30, addressDays: 400 })
})

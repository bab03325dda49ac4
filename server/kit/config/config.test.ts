import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { OperatorError } from '../error.ts'
import { readConfig } from './config.ts'

/** Valid settings of a production node. */
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate',
  PUBLIC_URL: 'https://tollgate.example',
  TOLLGATE_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  METRICS_TOKEN: 'q7Jr2vXmPz0LwT8a',
}

test('defaults to an evaluation with an embedded database', () => {
  expect(readConfig({})).toMatchObject({
    databaseUrl: undefined,
    port: 3000,
    publicUrl: 'http://localhost:3000',
    demo: true,
    shopPort: 3001,
    grants: true,
    testKeys: true,
  })
})

test('DATABASE_URL or production turn the evaluation off, and DEMO=on turns it on again', () => {
  const database = {
    DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate',
    SHOP_DATABASE_URL: 'postgresql://s:p@db.example:5432/shop',
  }
  expect(readConfig(database).demo).toBe(false)
  expect(readConfig({ ...PRODUCTION, DATABASE_URL: '' }).demo).toBe(false)
  expect(readConfig({ ...database, DEMO: 'on' }).demo).toBe(true)
})

test('an evaluation on an external database needs one for the shop, and an owner needs a database', () => {
  const DATABASE_URL = 'postgresql://u:p@db.example:5432/tollgate'
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

test('listens on loopback except in production, unless HOST is set', () => {
  const host = (env: Record<string, string>) => readConfig(env).host
  const DATABASE_URL = 'postgresql://u:p@db.example:5432/tollgate'
  for (const env of [{}, { HOST: '' }, { DEMO: 'off' }, { DATABASE_URL }, { NODE_ENV: 'development' }])
    expect(host(env)).toBe('127.0.0.1')
  expect(host({ ...PRODUCTION, DATABASE_URL: '' })).toBe('0.0.0.0')
  expect(host({ HOST: '0.0.0.0' })).toBe('0.0.0.0')
  expect(host({ ...PRODUCTION, HOST: '10.0.0.5' })).toBe('10.0.0.5')
})

test('shuts down at once except in production', () => {
  expect(readConfig({}).shutdownDelay).toBe(0)
  expect(readConfig(PRODUCTION).shutdownDelay).toBe(5)
  expect(readConfig({ ...PRODUCTION, SHUTDOWN_DELAY: '0' }).shutdownDelay).toBe(0)
  for (const SHUTDOWN_DELAY of ['-1', '301', '2.5', '5s'])
    expect(() => readConfig({ SHUTDOWN_DELAY })).toThrow(/SHUTDOWN_DELAY: expected whole seconds from 0 to 300/)
})

test('the published test keys are off in production unless TEST_KEYS=on', () => {
  expect(readConfig({}).testKeys).toBe(true)
  expect(readConfig({ DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate' }).testKeys).toBe(true)
  expect(readConfig(PRODUCTION).testKeys).toBe(false)
  expect(readConfig({ ...PRODUCTION, TEST_KEYS: 'on' }).testKeys).toBe(true)
  expect(readConfig({ TEST_KEYS: 'off' }).testKeys).toBe(false)
})

test('limits of the deployment have defaults and must be whole numbers of at least 1', () => {
  expect(readConfig({})).toMatchObject({
    testKeysPerMinute: 60,
    testKeysPerSecond: 20,
    unknownSecretsPerMinute: 30,
    supportUnitsMax: 100_000,
  })
  expect(readConfig({ TEST_KEYS_PER_MINUTE: '600' }).testKeysPerMinute).toBe(600)
  for (const wrong of ['0', '-1', '1.5', 'many'])
    expect(() => readConfig({ TEST_KEYS_PER_SECOND: wrong })).toThrow(/TEST_KEYS_PER_SECOND: expected/)
})

test('grants are off by default except in an evaluation', () => {
  const database = {
    DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate',
    SHOP_DATABASE_URL: 'postgresql://s:p@db.example:5432/shop',
  }
  expect(readConfig(database).grants).toBe(false)
  expect(readConfig(PRODUCTION).grants).toBe(false)
  expect(readConfig({ ...database, GRANTS: 'on' }).grants).toBe(true)
  expect(readConfig({ ...database, DEMO: 'on' }).grants).toBe(true)
  expect(readConfig({ GRANTS: 'off' }).grants).toBe(false)
})

test('reports all invalid settings together, by name', () => {
  const bad = {
    PORT: '70000',
    GRANTS: 'yes',
    DATABASE_URL: 'mysql://x',
    TOLLGATE_KEYS: 'short',
    PUBLIC_URL: 'tollgate.example/',
    TRUSTED_PROXIES: 'everyone',
  }
  const read = () => readConfig(bad)
  expect(read).toThrow(OperatorError)
  expect(read).toThrow(/6 settings are invalid/)
  for (const name of Object.keys(bad)) expect(read).toThrow(new RegExp(name))
})

test('an error never contains the value of a secret setting', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres:hunter2@db', TOLLGATE_KEYS: 'k1:hunter2' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
  )
})

test('refuses an invalid URL or network without showing its password', () => {
  const bad = {
    DATABASE_URL: 'postgresql://u:hun/ter2@db.example:5432/tollgate',
    REDIS_URL: 'redis://u:hunter2@cache.example:99999',
    SMTP_URL: 'smtp://u:hunter2@mail.example:none',
    PUBLIC_URL: 'https://tollgate.example:99999',
  }
  for (const [name, value] of Object.entries(bad)) {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(OperatorError)
    expect(read).toThrow(new RegExp(`${name}: expected`))
    expect(read).not.toThrow(/hun/)
  }
  expect(() => readConfig({ PUBLIC_URL: 'https://u:p@tollgate.example' })).toThrow(/PUBLIC_URL: expected an origin/)
  for (const network of ['10.0.0.0/33', '300.1.1.1', '10.0.0', '::/129', 'fc00::1::1'])
    expect(() => readConfig({ TRUSTED_PROXIES: `127.0.0.1,${network}` })).toThrow(/TRUSTED_PROXIES.*expected/)
  const networks = ['10.0.0.0/8', '::1', 'fc00::/7', '192.168.0.1/32']
  expect(readConfig({ TRUSTED_PROXIES: networks.join(', ') }).trustedProxies).toEqual(networks)
})

test('staff need a second factor except in an evaluation', () => {
  const needs = (env: Record<string, string>) => readConfig(env).staffNeeds2fa
  expect(needs({})).toBe(false)
  expect(needs({ DEMO: 'off' })).toBe(true)
  expect(needs({ DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate' })).toBe(true)
})

test('treats an empty setting as not set', () => {
  expect(readConfig({ DATABASE_URL: '', PORT: '' })).toMatchObject({ databaseUrl: undefined, port: 3000 })
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

test('production reports all its faults together', () => {
  const bad = { ...PRODUCTION, DEMO: 'on', PUBLIC_URL: 'http://t.example', METRICS_TOKEN: '', TRUSTED_PROXIES: '::/0' }
  expect(() => readConfig(bad)).toThrow(/4 settings are invalid/)
})

test('how long data is kept has bounds', () => {
  expect(readConfig({}).retention).toMatchObject({ intentHours: 26, networkDays: 30, addressDays: 400 })
  for (const setting of [{ KEEP_INTENTS_HOURS: '25' }, { KEEP_NETWORKS_DAYS: '0' }, { KEEP_REFUSALS_DAYS: '-1' }])
    expect(() => readConfig(setting)).toThrow(Object.keys(setting)[0])
})

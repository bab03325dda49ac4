import { expect, test } from 'vitest'
import { ConfigError, readOptions } from './config.ts'

const secret = `tg_secret_${'s'.repeat(49)}`
const complete = {
  TOLLGATE_SITEKEY: 'tg_site_TESTpass000000000000',
  TOLLGATE_SECRET: secret,
  SHOP_DATABASE_URL: 'postgresql://localhost/shop',
}

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readOptions(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('an environment with only what has no default is enough', () => {
  expect(readOptions(complete)).toMatchObject({
    port: 3001,
    hostname: 'localhost',
    tollgateUrl: 'http://localhost:3000',
  })
})

test('addresses lose their trailing slash, so that a path can be appended', () => {
  const options = readOptions({
    ...complete,
    TOLLGATE_URL: 'https://t.example/',
    TOLLGATE_API_URL: 'http://10.0.0.1:3000/api/',
  })
  expect(options).toMatchObject({ tollgateUrl: 'https://t.example', tollgateApiUrl: 'http://10.0.0.1:3000/api' })
})

test('every fault is reported at once', () => {
  const faults = faultsOf({ SHOP_PORT: '70000', SHOP_HOSTNAME: 'Shop:1', TOLLGATE_URL: 'ftp://a', SHOP_KEY: 'short' })
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'SHOP_PORT',
    'TOLLGATE_URL',
    'SHOP_HOSTNAME',
    'TOLLGATE_SITEKEY',
    'TOLLGATE_SECRET',
    'SHOP_DATABASE_URL',
    'SHOP_KEY',
  ])
})

test.each(['https://user:pw@t.example', 'https://t.example/?a=b', 'https://t.example/#x', 'https://', 't.example'])(
  'an address that is no plain base address is refused: %s',
  (address) => {
    expect(faultsOf({ ...complete, TOLLGATE_URL: address })).toHaveLength(1)
  },
)

test('a malformed secret is not repeated in the message', () => {
  const faults = faultsOf({ ...complete, TOLLGATE_SECRET: `${secret}!` })
  expect(faults).toHaveLength(1)
  expect(faults.join()).not.toContain(secret)
})

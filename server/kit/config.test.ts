import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('nothing set is an evaluation with an embedded database', () => {
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

test('a database or production ends the evaluation, and DEMO=on brings it back', () => {
  const database = { DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate' }
  expect(readConfig(database).demo).toBe(false)
  expect(readConfig({ NODE_ENV: 'production' }).demo).toBe(false)
  expect(readConfig({ ...database, DEMO: 'on' }).demo).toBe(true)
})

test('every fault is reported together, by the name of its setting', () => {
  const bad = {
    PORT: '70000',
    GRANTS: 'yes',
    DATABASE_URL: 'mysql://x',
    TOLLGATE_KEYS: 'short',
    PUBLIC_URL: 'tollgate.example/',
    TRUSTED_PROXIES: 'everyone',
  }
  const read = () => readConfig(bad)
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(/6 faults/)
  for (const name of Object.keys(bad)) expect(read).toThrow(new RegExp(name))
})

test('a fault never shows the value of a secret setting', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres:hunter2@db', TOLLGATE_KEYS: 'k1:hunter2' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
  )
})

test('staff need a second factor everywhere but in an evaluation, and in production in that too', () => {
  const needs = (env: Record<string, string>) => readConfig(env).staffNeeds2fa
  expect(needs({})).toBe(false)
  expect(needs({ DEMO: 'off' })).toBe(true)
  expect(needs({ DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate' })).toBe(true)
  expect(needs({ NODE_ENV: 'production', DEMO: 'on' })).toBe(true)
})

test('an empty setting counts as absent', () => {
  expect(readConfig({ DATABASE_URL: '', PORT: '' })).toMatchObject({ databaseUrl: undefined, port: 3000 })
})

test('production with an external database needs keys, because every node must open what another sealed', () => {
  const settings = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://u:p@db.example:5432/tollgate' }
  expect(() => readConfig(settings)).toThrow(/TOLLGATE_KEYS: required/)
  const key = Buffer.alloc(32, 1).toString('base64url')
  expect(readConfig({ ...settings, TOLLGATE_KEYS: `k2:${key},k1:${key}` }).keys?.map((k) => k.id)).toEqual(['k2', 'k1'])
  expect(() => readConfig({ ...settings, TOLLGATE_KEYS: `k1:${key},k1:${key}` })).toThrow(/share an id/)
})

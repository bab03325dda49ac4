import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { readRedisUrl } from './redisUrl.ts'

test.each(['redis://cache.example:6379', 'redis://:p%40ss@10.0.0.21', 'rediss://cache.example/2'])(
  'leaves the URL of one server as it is: %s',
  (url) => {
    expect(readRedisUrl(url)).toBe(url)
  },
)

test('reads the Sentinels, the name of the primary and its credentials', () => {
  expect(
    readRedisUrl('redis+sentinel://app:p%40ss@10.0.0.21:26379,db2.example,[fd00::3]:26380/tollgate'),
  ).toMatchObject({
    name: 'tollgate',
    username: 'app',
    password: 'p@ss',
    sentinels: [
      { host: '10.0.0.21', port: 26379 },
      { host: 'db2.example', port: 26379 },
      { host: 'fd00::3', port: 26380 },
    ],
  })
  const secure = readRedisUrl('rediss+sentinel://:secret@10.0.0.21/tollgate')
  expect(secure).toMatchObject({ password: 'secret', tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true })
  for (const absent of ['username', 'sentinelPassword']) expect(secure).not.toHaveProperty(absent)
  expect(readRedisUrl('redis+sentinel://:a@10.0.0.21/tollgate?sentinel_password=p%26w')).toMatchObject({
    password: 'a',
    sentinelPassword: 'p&w',
  })
})

test.each([
  'redis+sentinel://10.0.0.21:26379',
  'redis+sentinel:///tollgate',
  'redis+sentinel://10.0.0.21:99999/tollgate',
  'redis+sentinel://10.0.0.21:26379,/tollgate',
  'redis+sentinel://:hunter2@10.0.0.21:26379/a/b',
  'redis+sentinel://10.0.0.21:26379/tollgate?sentinel_password=',
  'redis+sentinel://10.0.0.21:26379/tollgate?password=hunter2',
  'http://10.0.0.21:6379',
])('REDIS_URL cannot be %s, and the password is not shown', (url) => {
  expect(() => readConfig({ REDIS_URL: url })).toThrow(/REDIS_URL: expected redis:\/\/host:6379, or redis\+sentinel/)
  expect(() => readConfig({ REDIS_URL: url })).not.toThrow(/hunter2/)
})

import { expect, test } from 'vitest'
import { createKeyring } from '../crypto/keyring.ts'
import { withHashedKeys } from './hashedKeys.ts'
import { createLocalLimiter, type Limiter } from './limiter.ts'

const RULE = { name: 'network', points: 2, duration: 60 }
const keyring = (fill: number) => createKeyring([{ id: `k${fill}`, key: Buffer.alloc(32, fill) }])

function recorder() {
  const local = createLocalLimiter()
  const keys: string[] = []
  const limiter: Limiter = {
    ...local,
    take: (rule, key) => {
      keys.push(key)
      return local.take(rule, key)
    },
  }
  return { limiter, keys }
}

test('passes on no key as it is, and counts equal keys together on all nodes with the key', async () => {
  const { limiter, keys } = recorder()
  const nodes = [withHashedKeys(limiter, keyring(1)), withHashedKeys(limiter, keyring(1))] as const
  expect(await nodes[0].take(RULE, '192.0.2.7')).toBe(0)
  expect(await nodes[1].take(RULE, '192.0.2.7')).toBe(0)
  expect(await nodes[0].take(RULE, '192.0.2.7')).toBeGreaterThan(0)
  expect(await nodes[0].take(RULE, '192.0.2.8')).toBe(0)
  await nodes[1].giveBack(RULE, '192.0.2.7')
  expect(await nodes[0].take(RULE, '192.0.2.7')).toBe(0)
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key).toMatch(/^[\w-]{22}$/)
})

test('depends on the deployment’s key', async () => {
  const { limiter, keys } = recorder()
  await withHashedKeys(limiter, keyring(1)).take(RULE, '192.0.2.7')
  await withHashedKeys(limiter, keyring(2)).take(RULE, '192.0.2.7')
  expect(keys[0]).not.toBe(keys[1])
})

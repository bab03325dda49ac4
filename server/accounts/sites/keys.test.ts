import { expect, test } from 'vitest'
import { isSitekey } from '../../contract/ids.ts'
import { isSecretKey, newSecretKey, newSitekey } from './keys.ts'

test('keys have the grammar of the contract', () => {
  expect(newSitekey()).toMatch(/^tg_site_[0-9A-Za-z]{20}$/)
  expect(isSitekey(newSitekey())).toBe(true)
  expect(newSecretKey()).toMatch(/^tg_secret_[0-9A-Za-z]{49}$/)
})

test('a secret key with any one character changed is recognised without a database', () => {
  const secret = newSecretKey()
  expect(isSecretKey(secret)).toBe(true)
  for (let i = 10; i < secret.length; i++) {
    const changed = secret.slice(0, i) + (secret[i] === 'a' ? 'b' : 'a') + secret.slice(i + 1)
    expect(isSecretKey(changed)).toBe(false)
  }
  expect(isSecretKey(`${secret}\n`)).toBe(false)
})

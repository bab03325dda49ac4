import { expect, test } from 'vitest'
import {
  checksum62,
  decisionId,
  intentOfDecision,
  isSecretKey,
  newId,
  newRequestId,
  newSecretKey,
  newSitekey,
} from './ids.ts'

test('generates keys with the grammar of the contract', () => {
  expect(newSitekey()).toMatch(/^tg_site_[0-9A-Za-z]{20}$/)
  expect(newSecretKey()).toMatch(/^tg_secret_[0-9A-Za-z]{49}$/)
  expect(newRequestId()).toMatch(/^req_[0-9a-f]{32}$/)
})

test('computes the checksum as left-padded CRC-32 in base 62', () => {
  // CRC-32 of "123456789" is 0xCBF43926 = 3421780262, by the algorithm's own check value
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  expect(
    checksum62('123456789')
      .split('')
      .reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0),
  ).toBe(3_421_780_262)
  expect(checksum62('')).toBe('000000')
})

test('detects a secret with any one character changed without the database', () => {
  const secret = newSecretKey()
  expect(isSecretKey(secret)).toBe(true)
  for (let i = 10; i < secret.length; i++) {
    const changed = secret.slice(0, i) + (secret[i] === 'a' ? 'b' : 'a') + secret.slice(i + 1)
    expect(isSecretKey(changed)).toBe(false)
  }
  expect(isSecretKey(`${secret}\n`)).toBe(false)
})

test('converts a decision id back to its intent', () => {
  const id = newId()
  expect(intentOfDecision(decisionId(id))).toBe(id)
  for (const wrong of ['dec_', `dec_${'g'.repeat(32)}`, `${decisionId(id)}0`, id])
    expect(intentOfDecision(wrong)).toBeUndefined()
})

test('generates a hundred thousand distinct ids of one version', () => {
  const ids = Array.from({ length: 100_000 }, newId)
  expect(new Set(ids).size).toBe(100_000)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

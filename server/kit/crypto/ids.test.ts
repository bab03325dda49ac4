import { expect, test } from 'vitest'
import { checksum62, newId } from './ids.ts'

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

test('a hundred thousand ids are all different, and of one version', () => {
  const ids = Array.from({ length: 100_000 }, () => newId())
  expect(new Set(ids).size).toBe(100_000)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

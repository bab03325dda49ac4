import { expect, test } from 'vitest'
import { short } from '../ui/text/format.ts'
import { sizeWords } from './words.ts'

test.each([
  [4, 32, '1 address'],
  [4, 24, '256 addresses'],
  [4, 8, '16,777,216 addresses'],
  [6, 128, 'one address of one visitor’s network: most providers give each visitor a whole /64'],
  [6, 64, 'one visitor’s network (a /64)'],
  [6, 48, '65,536 visitors’ networks (/64 each)'],
  [6, 32, `${short(2 ** 32)} visitors’ networks (/64 each)`],
] as const)('an IPv%d /%d covers %s', (family, bits, words) => {
  expect(sizeWords({ family, bits })).toBe(words)
})

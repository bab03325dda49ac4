import { expect, test } from 'vitest'
import { readVectors } from '../../testing/vectors.ts'
import { createEventId, createIdempotencyKey, createNonce } from './draw.ts'
import { isOf, isResponseToken, key, uuid } from './grammars.ts'

test('generates distinct values of 256 bits with the right grammar', () => {
  const drawn = Array.from({ length: 100 }, () => [createNonce(), createIdempotencyKey()]).flat()
  expect(drawn.filter((text) => !isOf(key, text) || Buffer.from(text, 'base64url').length !== 32)).toEqual([])
  expect(new Set(drawn).size).toBe(200)
  expect(isOf(uuid, createEventId())).toBe(true)
})

test('distinguishes a response token from other form values', () => {
  const { response } = readVectors('grammars')
  expect(response?.accept.filter((value) => !isResponseToken(value))).toEqual([])
  expect(response?.refuse.filter((value) => isResponseToken(value))).toEqual([])
  expect(isResponseToken(undefined)).toBe(false)
})

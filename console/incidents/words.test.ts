import { expect, test } from 'vitest'
import { attackEffectOf } from './words.ts'

test('the effect of attack mode is a sentence with both shares', () => {
  expect(attackEffectOf({ slow: 0.62, refused: 0 })).toBe(
    'Of last week’s visitors, 62% would have waited longer than 15 s, and 0% would have been refused.',
  )
})

test('without visitors there is no share', () => {
  expect(attackEffectOf(null)).toBe('No verifications last week to compare with.')
})

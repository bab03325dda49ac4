import { expect, test } from 'vitest'
import { attackEffectOf, trafficOf } from './words.ts'

test('the effect of attack mode is a sentence with both shares', () => {
  expect(attackEffectOf({ slow: 0.62, refused: 0 })).toBe(
    'Of last week’s visitors, 62% would have waited longer than 15 s, and 0% would have been refused.',
  )
})

test('without visitors there is no share', () => {
  expect(attackEffectOf(null)).toBe('No verifications last week to compare with.')
})

test('the traffic of an incident names raised challenges only if there were any', () => {
  expect(trafficOf({ completed: 1, raised: 0, refused: 300 })).toBe(
    'In this time: 300 requests refused, 1 verification completed.',
  )
  expect(trafficOf({ completed: 20, raised: 12, refused: null })).toBe(
    'In this time: an unknown number of requests refused, 20 verifications completed, 12 of them with a raised challenge.',
  )
})

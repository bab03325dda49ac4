import { expect, test } from 'vitest'
import { fromInput, toInput } from './occurred.ts'

const AT = Date.UTC(2026, 10, 22, 6, 40, 30) / 1000

test('a moment becomes minutes of the zone, and comes back', () => {
  expect(toInput(AT, 'utc')).toBe('2026-11-22T06:40')
  for (const zone of ['utc', 'local'] as const) expect(fromInput(toInput(AT, zone), zone, 0)).toBe(AT - 30)
})

test('the minute of the redemption means the redemption, the one before is before it', () => {
  expect(fromInput('2026-11-22T06:40', 'utc', AT + 0.5)).toBe(AT)
  expect(fromInput('2026-11-22T06:39', 'utc', AT)).toBe(AT - 90)
})

test('what is no moment is none', () => {
  expect(fromInput('', 'utc', AT)).toBeNaN()
})

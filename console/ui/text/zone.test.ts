import { expect, test } from 'vitest'
import { fromDateInput, toDateInput } from './zone.ts'

const AT = Date.UTC(2026, 10, 22, 6, 40, 30) / 1000

test('a date input shows a time in the zone, to the minute', () => {
  expect(toDateInput(AT, 'utc')).toBe('2026-11-22T06:40')
  for (const zone of ['utc', 'local'] as const) expect(fromDateInput(toDateInput(AT, zone), zone)).toBe(AT - 30)
})

test('an incomplete date input is NaN', () => {
  expect(fromDateInput('', 'utc')).toBeNaN()
})

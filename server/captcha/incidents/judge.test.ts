import { expect, test } from 'vitest'
import { judge, type TenMinutes } from './judge.ts'

const calm: TenMinutes = { completed: 400, solved: 400, raised: 4, refused: 8 }
const work = (counts: Partial<TenMinutes>, usual = 0) => judge('work', { ...calm, ...counts }, usual)
const refusals = (counts: Partial<TenMinutes>, usual = 0) => judge('refusals', { ...calm, ...counts }, usual)

test('work is an incident from a share of raised challenges that is a quarter above the usual one', () => {
  expect(work({})).toBe('calm')
  expect(work({ raised: 100 })).toBe('spike')
  expect(work({ raised: 99 })).toBe('lasting')
  expect(work({ raised: 49 })).toBe('calm')
  expect(work({ raised: 139 }, 0.1)).toBe('lasting')
  expect(work({ raised: 140 }, 0.1)).toBe('spike')
})

test('where most challenges are raised every day, it is no incident', () => {
  expect(work({ raised: 400 }, 0.8)).not.toBe('spike')
})

test('refusals are an incident from four times the usual number and a tenth of all calls', () => {
  expect(refusals({ refused: 40, completed: 300 })).toBe('spike')
  expect(refusals({ refused: 39, completed: 300 })).toBe('lasting')
  expect(refusals({ refused: 19, completed: 100 })).toBe('calm')
  expect(refusals({ refused: 119 }, 30)).toBe('lasting')
  expect(refusals({ refused: 120 }, 30)).toBe('spike')
  expect(refusals({ refused: 60, completed: 600 })).toBe('lasting')
})

test('ten requests are no incident, whatever share of them it is', () => {
  expect(work({ completed: 10, solved: 10, raised: 10 })).not.toBe('spike')
  expect(refusals({ completed: 0, solved: 0, raised: 0, refused: 10 })).toBe('calm')
})

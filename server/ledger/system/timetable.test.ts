import { expect, test } from 'vitest'
import { nextRun } from './timetable.ts'

const NOON = Date.UTC(2026, 10, 20, 12, 0, 0) / 1000
const at = (hours: number, minutes: number) => NOON + hours * 3600 + minutes * 60

test.each([
  ['7 * * * *', at(0, 7)],
  ['0 * * * *', at(1, 0)],
  ['*/15 * * * *', at(0, 15)],
  ['41 4 * * *', at(16, 41)],
  ['0 12 * * *', at(24, 0)],
  ['11 5 * * 0', at(41, 11)],
  ['0 12 * * 5', at(168, 0)],
  ['0 0 1 * *', null],
])('%s comes next at its time', (cron, next) => {
  expect(nextRun(cron, NOON)).toBe(next)
})

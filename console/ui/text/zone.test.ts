import { afterEach, expect, test, vi } from 'vitest'
import { fromDateInput, toDateInput, zoneName } from './zone.ts'

afterEach(() => void vi.unstubAllEnvs())

const AT = Date.UTC(2026, 10, 22, 6, 40, 30) / 1000

test('a date input shows a time in the zone, to the minute', () => {
  expect(toDateInput(AT, 'utc')).toBe('2026-11-22T06:40')
  for (const zone of ['utc', 'local'] as const) expect(fromDateInput(toDateInput(AT, zone), zone, AT)).toBe(AT - 30)
})

test('an incomplete date input is NaN', () => {
  expect(fromDateInput('', 'utc', AT)).toBeNaN()
})

test('when clocks are set back, an input shows and keeps either of the two hours', () => {
  vi.stubEnv('TZ', 'America/New_York')
  for (const at of [Date.UTC(2026, 10, 1, 5, 30) / 1000, Date.UTC(2026, 10, 1, 6, 30) / 1000]) {
    expect(toDateInput(at, 'local')).toBe('2026-11-01T01:30')
    expect(fromDateInput('2026-11-01T01:30', 'local', at)).toBe(at)
  }
  // half an hour in Lord Howe, and no such hour in spring
  vi.stubEnv('TZ', 'Australia/Lord_Howe')
  for (const at of [Date.UTC(2026, 3, 4, 14, 45) / 1000, Date.UTC(2026, 3, 4, 15, 15) / 1000])
    expect(fromDateInput(toDateInput(at, 'local'), 'local', at)).toBe(at)
  vi.stubEnv('TZ', 'America/New_York')
  expect(fromDateInput('2026-03-08T02:30', 'local', AT)).toBe(Date.UTC(2026, 2, 8, 7, 30) / 1000)
})

test('a zone is named by its offset at the time', () => {
  expect(zoneName('utc', AT)).toBe('UTC')
  for (const [zone, name] of [
    ['UTC', 'UTC'],
    ['Europe/Vienna', 'UTC+1'],
    ['Asia/Kolkata', 'UTC+5:30'],
    ['America/St_Johns', 'UTC−3:30'],
  ] as const) {
    vi.stubEnv('TZ', zone)
    expect(zoneName('local', AT)).toBe(name)
  }
  vi.stubEnv('TZ', 'Europe/Vienna')
  expect(zoneName('local', Date.UTC(2026, 6, 1) / 1000)).toBe('UTC+2')
})

import { expect, test } from 'vitest'
import { daysOfMonth, unitsByDay, unitsBySite } from './api.ts'

test('units are summed by site, largest first, including deleted sites', () => {
  const line = (site: string, name: string | null, quota: number, balance = 0) => ({
    day: '2026-10-01',
    site,
    name,
    quota,
    balance,
  })
  const lines = [line('a', 'Shop', 2), line('b', null, 4, 5), line('a', 'Shop', 3)]
  expect(unitsBySite({ lines })).toEqual([
    { site: 'b', name: 'Deleted site', quota: 4, balance: 5, units: 9 },
    { site: 'a', name: 'Shop', quota: 5, balance: 0, units: 5 },
  ])
})

test('a past month has all its days', () => {
  const days = daysOfMonth('2024-02-01')
  expect(days).toHaveLength(29)
  expect(days[0]).toBe(Date.UTC(2024, 1, 1) / 1000)
})

test('units by day have a row per site, and add up with the smaller sites together', () => {
  const line = (day: string, site: string, quota: number, balance = 0) => ({ day, site, name: site, quota, balance })
  const lines = [
    line('2026-10-01', 'a', 5),
    line('2026-10-02', 'a', 1, 2),
    line('2026-10-01', 'b', 4),
    line('2026-10-02', 'c', 3),
    line('2026-10-02', 'd', 1),
  ]
  const days = ['2026-10-01', '2026-10-02', '2026-10-03'].map((day) => new Date(day).getTime() / 1000)
  expect(unitsByDay({ lines }, days, 2).map(({ name, values }) => [name, values])).toEqual([
    ['a', [5, 3, 0]],
    ['b', [4, 0, 0]],
    ['Other sites', [0, 4, 0]],
  ])
})

import { expect, test } from 'vitest'
import { daysOfMonth, unitsBySite } from './api.ts'

test('units are summed by site, largest first, including deleted sites', () => {
  const line = (site: string, name: string | null, quota: number, balance = 0) => ({
    day: '2026-10-01',
    site,
    name,
    quota,
    balance,
  })
  const statement = {
    month: '2026-10-01',
    over: true,
    tenant: { name: 'Demo', slug: 'demo' },
    included: 100,
    quota: 9,
    balance: 5,
    added: 0,
    lines: [line('a', 'Shop', 2), line('b', null, 4, 5), line('a', 'Shop', 3)],
  }
  expect(unitsBySite(statement)).toEqual([
    { site: 'b', name: 'Deleted site', quota: 4, balance: 5, units: 9 },
    { site: 'a', name: 'Shop', quota: 5, balance: 0, units: 5 },
  ])
})

test('a past month has all its days', () => {
  const days = daysOfMonth('2024-02-01')
  expect(days).toHaveLength(29)
  expect(days[0]).toBe(Date.UTC(2024, 1, 1) / 1000)
})

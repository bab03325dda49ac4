import { expect, test } from 'vitest'
import { axisLabels, axisTicks, nameInChart, thinOut } from './chartData.ts'
import { groupMarks } from './Marks.tsx'

test('an axis covers its greatest value in a few round steps', () => {
  expect(axisTicks(0)).toEqual([0, 1])
  expect(axisTicks(1)).toEqual([0, 0.5, 1])
  expect(axisTicks(7)).toEqual([0, 2, 4, 6, 8])
  expect(axisTicks(1840)).toEqual([0, 500, 1000, 1500, 2000])
  expect(axisTicks(0.37)).toEqual([0, 0.1, 0.2, 0.3, 0.4])
  for (const max of [3, 19, 240, 99_999]) expect(axisTicks(max).at(-1)).toBeGreaterThanOrEqual(max)
})

test('labels are thinned out evenly, and the last one stays', () => {
  expect(thinOut([1, 2, 3], 5)).toEqual([1, 2, 3])
  expect(thinOut([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6])
  expect(thinOut([0, 1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7])
})

/** The start of each step from 22:00 UTC on. */
const timesFrom22 = (count: number, step: number) =>
  Array.from({ length: count }, (_, index) => Date.UTC(2026, 10, 26, 22) / 1000 + index * step)

test('hours are labelled at round times of the day, fewer where there is less room, and a day at its start', () => {
  const labels = (most: number) => axisLabels(timesFrom22(24, 3600), 3600, 'utc', most)
  expect(labels(8).map(({ index }) => index)).toEqual([2, 5, 8, 11, 14, 17, 20, 23])
  expect(labels(4).map(({ text }) => text)).toEqual(['27 Nov', '06:00', '12:00', '18:00'])
  expect(labels(2).map(({ text }) => text)).toEqual(['27 Nov', '12:00'])
})

test('steps of minutes are labelled at round minutes', () => {
  const labels = axisLabels(timesFrom22(24, 300), 300, 'utc', 4)
  expect(labels.map(({ text }) => text)).toEqual(['22:00', '22:30', '23:00', '23:30'])
})

test('days are labelled at their first step', () => {
  const labels = axisLabels(timesFrom22(72, 3600), 3600, 'utc', 4)
  expect(labels.map(({ index }) => index)).toEqual([2, 26, 50])
})

test('marks that would overlap are one group, with the steps of all of them', () => {
  const times = timesFrom22(24, 3600)
  const mark = (id: string, step: number) => ({ id, kind: 'key' as const, at: times[step] ?? 0, text: id })
  const data = { times, step: 3600, series: [], marks: [mark('c', 9), mark('a', 2), mark('b', 3)] }
  const groups = groupMarks(data, (step) => step * 10)
  expect(groups.map(({ left, marks }) => [left, marks.map(({ id }) => id)])).toEqual([
    [20, ['a', 'b']],
    [90, ['c']],
  ])
  expect([...(groups[0]?.steps ?? [])]).toEqual([2, 3])
})

test('a step that is not over says so', () => {
  const now = Math.floor(Date.now() / 1000)
  expect(nameInChart(now - 86_400, 86_400, 'utc')).not.toContain('so far')
  expect(nameInChart(now - 86_300, 86_400, 'utc')).toMatch(/, so far$/)
})

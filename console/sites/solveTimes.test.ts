import { expect, test } from 'vitest'
import { DEVICES, difficultyRange, formatSeconds, waitFor } from './solveTimes.ts'

test.each([
  [0.01, '<0.1 s'],
  [0.52, '0.5 s'],
  [2.097, '2.1 s'],
  [9.96, '10 s'],
  [12.58, '13 s'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})

test('a fixed policy uses the base difficulty for everyone, and under attack everyone gets the maximum', () => {
  expect(difficultyRange({ baseWork: 4096, workMode: 'fixed' })).toEqual({ usual: 4096, most: 4096 })
  expect(difficultyRange({ baseWork: 4096, workMode: 'adaptive' })).toEqual({ usual: 4096, most: 6_291_456 })
  expect(difficultyRange({ baseWork: 4096, workMode: 'attack' })).toEqual({ usual: 6_291_456, most: 18_874_368 })
})

test('a raised challenge is not accepted before its minimum age, which slow phones never wait for', () => {
  const waits = (raised: boolean) =>
    DEVICES.map(({ hashesPerSecond }) => formatSeconds(waitFor(6_291_456, { raised }, hashesPerSecond)))
  expect(waits(true)).toEqual(['13 s', '10 s', '10 s', '10 s'])
  expect(waits(false)).toEqual(['13 s', '3.1 s', '0.3 s', '0.1 s'])
})

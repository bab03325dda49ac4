import { expect, test } from 'vitest'
import { asCost, workRange } from './solveTimes.ts'

test.each([
  [0.01, '<0.1 s'],
  [0.52, '0.5 s'],
  [2.097, '2.1 s'],
  [9.96, '10 s'],
  [12.58, '13 s'],
])('%d seconds cost %s', (seconds, text) => {
  expect(asCost(seconds)).toBe(text)
})

test('a fixed policy asks everybody for the base, an attack everybody for the most', () => {
  expect(workRange({ baseWork: 4096, workMode: 'fixed' })).toEqual({ usual: 4096, most: 4096 })
  expect(workRange({ baseWork: 4096, workMode: 'adaptive' })).toEqual({ usual: 4096, most: 6_291_456 })
  expect(workRange({ baseWork: 4096, workMode: 'attack' })).toEqual({ usual: 6_291_456, most: 6_291_456 })
})

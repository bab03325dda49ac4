import { expect, test } from 'vitest'
import { readVectors } from '../../testing/vectors.ts'
import { testKeys } from './testKeys.ts'

test('the test keys are the published ones', () => {
  expect(testKeys).toEqual(readVectors('testKeys'))
})

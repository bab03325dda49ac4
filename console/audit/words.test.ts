import { expect, test } from 'vitest'
import { describeTarget } from './words.ts'

const event = { target: '018f', targetName: null, before: null, after: null }

test('a target has its current name, and the part that the event is about', () => {
  expect(describeTarget({ ...event, targetName: 'Storefront', after: { hostname: 'www.example' } })).toEqual({
    name: 'Storefront',
    part: 'www.example',
  })
  expect(describeTarget({ ...event, targetName: 'Storefront', before: { last4: 'a1B2' } })).toEqual({
    name: 'Storefront',
    part: 'key …a1B2',
  })
})

test('a deleted target has the name in the event, or else its id', () => {
  expect(describeTarget({ ...event, before: { name: 'Old site' } })).toEqual({ name: 'Old site', part: undefined })
  expect(describeTarget(event)).toEqual({ name: '018f', part: undefined })
})

test('the part does not repeat the name', () => {
  expect(describeTarget({ ...event, targetName: 'New', before: { name: 'Old' }, after: { name: 'New' } })).toEqual({
    name: 'New',
    part: undefined,
  })
})

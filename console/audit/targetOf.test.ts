import { expect, test } from 'vitest'
import { targetOf } from './targetOf.ts'

const event = { target: '018f', targetName: null, before: null, after: null }

test('a target is told by the name that it has now, and by the part that the event is about', () => {
  expect(targetOf({ ...event, targetName: 'Storefront', after: { hostname: 'www.example' } })).toEqual({
    name: 'Storefront',
    part: 'www.example',
  })
  expect(targetOf({ ...event, targetName: 'Storefront', before: { last4: 'a1B2' } })).toEqual({
    name: 'Storefront',
    part: 'key …a1B2',
  })
})

test('what is gone is told by what the event says of it, else by its id', () => {
  expect(targetOf({ ...event, before: { name: 'Old site' } })).toEqual({ name: 'Old site', part: undefined })
  expect(targetOf(event)).toEqual({ name: '018f', part: undefined })
})

test('nothing is told twice', () => {
  expect(targetOf({ ...event, targetName: 'New', before: { name: 'Old' }, after: { name: 'New' } })).toEqual({
    name: 'New',
    part: undefined,
  })
})

import { expect, test } from 'vitest'
import { parseQuery, term } from './query.ts'

test.each([
  ['', {}],
  ['   ', {}],
  ['checkout', { text: 'checkout' }],
  ['demo shop', { text: 'demo shop' }],
  ['actor:mara', { actor: 'mara' }],
  ['actor:"Mara Lindqvist" action:secret.rotate', { actor: 'Mara Lindqvist', action: 'secret.rotate' }],
  ['late action:a action:b early', { action: 'b', text: 'late early' }],
  ['target:018f actor:', { target: '018f', text: 'actor:' }],
  ['time:12:30', { text: 'time:12:30' }],
  ['"actor:mara"', { text: 'actor:mara' }],
])('%j asks for %j', (typed, query) => {
  expect(parseQuery(typed)).toEqual(query)
})

test('a term reads as what it was made of', () => {
  expect(parseQuery(`${term('actor', 'Mara Lindqvist')} ${term('action', 'site.rename')}`)).toEqual({
    actor: 'Mara Lindqvist',
    action: 'site.rename',
  })
})

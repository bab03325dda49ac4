import { expect, test } from 'vitest'
import { formatTerm, parseQuery } from './query.ts'

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
])('%j is parsed as %j', (typed, query) => {
  expect(parseQuery(typed)).toEqual(query)
})

test('a formatted term is parsed back', () => {
  expect(parseQuery(`${formatTerm('actor', 'Mara Lindqvist')} ${formatTerm('action', 'site.rename')}`)).toEqual({
    actor: 'Mara Lindqvist',
    action: 'site.rename',
  })
})

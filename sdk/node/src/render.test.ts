import { expect, test } from 'vitest'
import { type Fields, readVectors } from '../../testing/vectors.ts'
import { camel, own } from '../testing/run.ts'
import { renderScript, renderWidget } from './render.ts'

const { accept, refuse } = readVectors('render')

const render = (kind: 'widget' | 'script', input: Fields) =>
  kind === 'widget' ? renderWidget(own(input) as never) : renderScript(own(input) as never)

test.each(accept)('$name', ({ kind, input, html }) => {
  expect(render(kind, input)).toBe(html)
})

test.each(refuse)('refuses $name', ({ kind, input, says }) => {
  expect(() => render(kind, input)).toThrow(TypeError)
  expect(() => render(kind, input)).toThrow(`\`${camel(says)}\``)
  expect(() => render(kind, input)).not.toThrow('tg_secret_')
})

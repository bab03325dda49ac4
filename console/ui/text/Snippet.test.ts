import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ERRORS } from '../../../server/contract/mistakes/errors.ts'
import { FIELDS } from '../../../server/contract/mistakes/fields.ts'
import { Sentence } from './Snippet.tsx'

const shown = (text: string) => renderToStaticMarkup(createElement(Sentence, { text }))

test('what is between backticks is shown as code', () => {
  expect(shown('Send `Origin` on.').replace(/ class="[^"]*"/, '')).toBe('Send <code>Origin</code> on.')
})

test('no cause or remedy of an error shows Markdown', () => {
  for (const { cause, remedy } of [...Object.values(ERRORS), ...Object.values(FIELDS)])
    expect(shown(`${cause} ${remedy}`)).not.toMatch(/`|\*\*|\]\(/)
})

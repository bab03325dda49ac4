import { expect, test } from 'vitest'
import { withRows, worksWithRows } from './worksWith.mjs'

const spec = (title: string, description: string, status = 'expected') => ({
  title,
  tests: [{ status, annotations: [{ type: 'works with', description }] }],
})
const other = { title: 'a form', tests: [{ status: 'expected', annotations: [] }] }

test('the table has the tests that passed, by name, and the versions of one case in one row', () => {
  const report = {
    suites: [
      { specs: [spec('a form', 'Vue 3.5.1'), spec('a list', 'Vue 3.5.1', 'unexpected'), other] },
      {
        suites: [
          { specs: [spec('a form', 'jQuery Validation 1.2.3'), spec('a menu', 'htmx 2.0.0', 'skipped')] },
          { specs: [spec('a form', 'jQuery 1.12.4'), spec('a form', 'jQuery 3.7.1', 'flaky')] },
        ],
      },
    ],
  }
  expect(worksWithRows(report)).toEqual([
    '| jQuery | 1.12.4, 3.7.1 | a form |',
    '| jQuery Validation | 1.2.3 | a form |',
    '| Vue | 3.5.1 | a form |',
  ])
})

test('only what is between the comments is replaced', () => {
  const page = 'Before\n<!-- works with: x -->\nold\n<!-- end of works with -->\nAfter'
  const written = withRows(page, ['| a | 1 | b |'])
  expect(written).toMatch(
    /^Before\n<!-- works with: x -->\n[^]*\| a \| 1 \| b \|\n\n<!-- end of works with -->\nAfter$/,
  )
  expect(withRows(written, ['| a | 1 | b |'])).toBe(written)
  expect(() => withRows('Nothing', [])).toThrow('no place')
})

import { expect, test } from 'vitest'
import { html } from './html.ts'

test('whatever is put into markup stays text', () => {
  const typed = `"><script>alert('&')</script>`
  expect(html`<p title="${typed}">${typed}</p>`.toString()).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
  )
})

test('markup within markup is escaped once, also in lists', () => {
  expect(html`<ul>${['<', '&lt;'].map((sign) => html`<li>${sign}</li>`)}</ul>`.toString()).toBe(
    '<ul><li>&lt;</li><li>&amp;lt;</li></ul>',
  )
})

test('false and undefined draw nothing, zero is drawn', () => {
  expect(html`${[false, undefined, 0]}`.toString()).toBe('0')
})

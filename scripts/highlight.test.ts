import { expect, test } from 'vitest'
import { createHighlighter } from './highlight.ts'

const SAMPLES = {
  js: "// a\nconst url = 'http://localhost:3000' // `b` & <c>\n",
  ts: 'const a: string = `${f(1)}`',
  python: 'def f(a):\n    """doc"""\n    return "http://localhost:3000" if a else None',
  sh: 'export TOLLGATE_URL=http://localhost:3000\ncurl "$TOLLGATE_URL/intents" -d @- <<JSON\n{ "a": 1 }\nJSON',
  html: '<script src="http://localhost:3000/widget.js" async></script>\n<div data-a="b">c</div>',
  sql: "select 'a' from b -- c",
  text: 'plain <text>',
}

test('changes nothing but colours, and splits no address, which becomes that of the deployment', async () => {
  const highlight = await createHighlighter(Object.keys(SAMPLES))
  for (const [language, code] of Object.entries(SAMPLES)) {
    const html = highlight(code, language)
    const plain = html
      .replaceAll(/<\/?span[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
    expect(plain).toBe(code)
    expect([language, html.includes('http://localhost:3000')]).toEqual([
      language,
      code.includes('http://localhost:3000'),
    ])
  }
  expect(highlight(SAMPLES.js, 'js')).toContain('<span class="comment">// a</span>')
  expect(highlight(SAMPLES.sql, 'sql')).toContain('<span class="keyword">select</span>')
  expect(highlight(SAMPLES.text, 'text')).toBe('plain &lt;text&gt;')
})

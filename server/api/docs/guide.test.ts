import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderGuide } from './guide.ts'

test('shows HTML in a guide as text and omits comments', () => {
  const { html } = renderGuide(
    '# A\n\n<script>alert(1)</script>\n\n<!-- generated -->\n\nb <img src=x onerror=alert(1)> c',
  )
  expect(html).not.toMatch(/<(script|img)/)
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toContain('generated')
})

test('escapes text, code, tables and headings', () => {
  const { html, title, sections } = renderGuide(
    '# A & <b>\n\n## 1 < 2 "x"\n\n`<i>`\n\n```html\n<b>"\n```\n\n| <u> | b |\n|---|---|\n| `<s>` | \'c\' |\n',
  )
  expect(html).not.toMatch(/<[bius]>/)
  expect(html).toContain('&lt;b&gt;&quot;')
  expect(title).toBe('A & <b>')
  expect(sections).toEqual([{ id: '1--2-x', text: '1 < 2 "x"', depth: 2 }])
})

test('links only to web addresses, guides and sections', () => {
  const { html } = renderGuide(
    '[a](errors.md#409-conflict) [b](https://tollgate.example) [c](#x) [d](javascript:alert(1)) [e](data:text/html,x) [f](/docs) [g](../sdk/node/README.md#errors) [h](../../docs/integration.md) [i](../sdk/node/examples/next.ts) [j](none.md)',
  )
  expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([
    '/docs/errors#409-conflict',
    'https://tollgate.example',
    '#x',
    '/docs',
    '/docs/sdk-node#errors',
    '/docs',
    '/docs/examples/node/next.ts',
  ])
})

test("replaces the service's URL by the deployment's in text, code and links", () => {
  const { html } = renderGuide(
    '[a](http://localhost:3000/sdk.json)\n\n```sh\ncurl http://localhost:3000/intents\n```\n\nOn `http://localhost`.',
    'https://captcha.example/$&',
  )
  expect(html).toContain('href="https://captcha.example/$&amp;/sdk.json"')
  expect(html).toContain('curl https://captcha.example/$&amp;/intents')
  expect(html).toContain('<code>http://localhost</code>')
})

test('names a block of code that is one of several languages, and leaves others with their language', () => {
  const { html } = renderGuide('```js Node.js\na\n```\n\n```sh\nb\n```\n')
  expect(html.match(/<figure.*?<\/figcaption>/g)).toEqual([
    '<figure class="code" data-tab="Node.js"><figcaption>Node.js</figcaption>',
    '<figure class="code"><figcaption>sh</figcaption>',
  ])
})

test('lists the text of each section by lines, with the words that lead to it', () => {
  const { passages } = renderGuide(
    '# A\n\nOne\n*two* [three](x.md) <https://a.example> `*.d[0]`.\n\n## B\n\n<!-- search: cors, php -->\n\n- `c`\n- d\n\n```sh\ni\n```\n\n| e | f |\n|---|---|\n| g | h |\n',
  )
  expect(passages).toEqual([
    { id: '', heading: 'A', aliases: '', text: 'One two three https://a.example *.d[0].', code: '' },
    { id: 'b', heading: 'B', aliases: 'cors, php', text: 'c\nd\ng · h', code: 'i' },
  ])
})

test('lets paths break after their slashes, and no other code', () => {
  const { html } = renderGuide('`server/kit/` `POST /intents` `a/b` `<x>/y` `https://tollgate.example/docs`')
  expect(html).toBe(
    '<p><code>server/<wbr>kit/<wbr></code> <code>POST /intents</code> <code>a/<wbr>b</code> <code>&lt;x&gt;/y</code> <code>https://tollgate.example/docs</code></p>\n',
  )
})

test('gives table rows about a name an id, unless a section has that id', () => {
  const { html } = renderGuide(
    '## taken\n\n| a | b |\n|---|---|\n| `one` | 1 |\n| `taken` | 2 |\n| `one` | 3 |\n| `x` y | 4 |\n',
  )
  expect([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['taken', 'one'])
})

test('the code of the guides is that of the examples, which the acceptance kit runs', () => {
  const QUOTES: [page: string, block: RegExp, example: string][] = [
    ['quick-start', /```js\n([^]*?)```/, 'node/examples/server.mjs'],
    ['quick-start', /```python\n([^]*?)```/, 'python/examples/app.py'],
    ['quick-start', /```php\n([^]*?)```/, 'php/examples/index.php'],
    ['backend', /```sql[^\n]*\n([^]*?)```/, 'node/examples/schema.sql'],
    ['backend', /```ts[^\n]*\n\/\/ attempts\.ts\n([^]*?)```/, 'node/examples/attempts.ts'],
    ['component', /```ts[^\n]*\n\/\/ express\.ts\n([^]*?)\n{3}/, 'node/examples/express.ts'],
    ['component', /\n{3}\/\/ checkout\.ts\n([^]*?)\n{3}/, 'node/examples/checkout.ts'],
    ['component', /\n{3}\/\/ attempts\.ts\n([^]*?)```/, 'node/examples/attempts.ts'],
    ['component', /```python[^\n]*\n# flask_app\.py\n([^]*?)```/, 'python/examples/flask_app.py'],
    ['component', /```php[^\n]*\n\/\/ signup\.php\n([^]*?)```/, 'php/examples/signup.php'],
    ['nextjs', /```ts[^\n]*\n\/\/ next\.ts\n([^]*?)```/, 'node/examples/next.ts'],
    ['django', /```python[^\n]*\n# django_app\.py\n([^]*?)```/, 'python/examples/django_app.py'],
  ]
  for (const [page, block, example] of QUOTES) {
    const blocks = readFileSync(`docs/${page}.md`, 'utf8').matchAll(new RegExp(block, 'g'))
    const parts = [...blocks].flatMap(([, code = '']) => code.split('\n\n\n'))
    expect([example, parts.length]).not.toEqual([example, 0])
    for (const part of parts) expect(readFileSync(`sdk/${example}`, 'utf8')).toContain(part.trim())
  }
})

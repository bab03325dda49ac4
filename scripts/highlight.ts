/**
 * Highlights the code of the documentation and the examples, and writes HTML for server/api/docs/code.ts: the highlighter and its
 * grammars are packages of the build only.
 *
 *   tsx scripts/highlight.ts FILE
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createOnigurumaEngine } from '@shikijs/engine-oniguruma'
import { codeToTokensBase, createShikiPrimitive } from '@shikijs/primitive'
import { keyOf } from '../server/api/docs/code.ts'
import { EXAMPLES } from '../server/api/docs/examples.ts'
import { type Highlight, renderGuide } from '../server/api/docs/guide.ts'
import { GUIDES } from '../server/api/docs/pages.ts'
import { escapeHtml } from '../server/kit/http/escape.ts'

/** TextMate scopes by class name; docs/site/docs.css has the colours, for both themes. */
const SCOPES = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'constant.character.escape'],
  constant: [
    'constant.numeric',
    'constant.language',
    'variable.language',
    'support.constant',
    'entity.name.type',
    'support.type',
  ],
  keyword: [
    'keyword',
    'keyword.operator.new',
    'keyword.operator.expression',
    'keyword.operator.logical.python',
    'storage',
    'entity.name.tag',
  ],
  function: [
    'entity.name.function',
    'meta.function-call.generic',
    'support.function',
    'entity.other.attribute-name',
    'support.type.property-name',
  ],
  // inside of strings and calls, and marks between words
  plain: ['meta.template.expression', 'punctuation', 'keyword.operator', 'meta.embedded.expression'],
}

const THEME = {
  name: 'classes',
  type: 'light',
  fg: 'plain',
  bg: 'plain',
  settings: Object.entries(SCOPES).map(([foreground, scope]) => ({ scope, settings: { foreground } })),
} as const

/** Code that is shown without colours. */
const PLAIN = new Set(['', 'text'])

/**
 * A function that highlights code of these languages.
 * @throws if there is no grammar for a language
 */
export async function createHighlighter(languages: Iterable<string>): Promise<Highlight> {
  const names = [...languages].filter((name) => !PLAIN.has(name))
  const grammars = await Promise.all(names.map((name) => import(`@shikijs/langs/${name}`)))
  const shiki = createShikiPrimitive({
    engine: await createOnigurumaEngine(import('@shikijs/engine-oniguruma/wasm-inlined')),
    langs: grammars.map(({ default: grammar }) => grammar),
    themes: [THEME],
  })
  return (code, lang) =>
    PLAIN.has(lang)
      ? escapeHtml(code)
      : codeToTokensBase(shiki, code, { lang, theme: THEME.name })
          .map((line) =>
            line
              .map(({ content, color = 'plain' }) =>
                color === 'plain' ? escapeHtml(content) : `<span class="${color}">${escapeHtml(content)}</span>`,
              )
              .join(''),
          )
          .join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const blocks: { code: string; language: string }[] = EXAMPLES.map(({ file, language }) => ({
    code: readFileSync(file, 'utf8'),
    language,
  }))
  const collect: Highlight = (code, language) => {
    blocks.push({ code, language })
    return ''
  }
  for (const { file } of GUIDES) renderGuide(readFileSync(file, 'utf8'), undefined, collect)
  const highlight = await createHighlighter(new Set(blocks.map(({ language }) => language)))
  const entries = blocks.map(({ code, language }) => [keyOf(code, language), highlight(code, language)])
  writeFileSync(process.argv[2] ?? 'dist/code.json', JSON.stringify(Object.fromEntries(entries)))
}

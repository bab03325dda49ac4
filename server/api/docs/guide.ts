import { lexer, Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../kit/http/escape.ts'

/** A heading of level 2 or 3. */
export type Section = Readonly<{ id: string; text: string; depth: number }>

/** A guide as HTML, its title, its headings for a table of contents, and its plain text by section for the search. */
export type Guide = Readonly<{
  title: string
  html: string
  sections: readonly Section[]
  passages: readonly Passage[]
}>

/** The text from one heading to the next. `id` is empty for what precedes the first heading of level 2. */
export type Passage = Readonly<{ id: string; heading: string; text: string }>

const headingsOf = (markdown: string): string[] =>
  lexer(markdown).flatMap((token) =>
    token.type === 'heading' ? [(token as Tokens.Heading).text.replaceAll('`', '')] : [],
  )

/** Without Markdown's marks and the addresses of links. */
const plainOf = (markdown: string): string =>
  markdown
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[`*|[\]]|^```.*$|-{3,}/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The guide's text by section. */
function passagesOf(markdown: string, title: string): Passage[] {
  const passages: { id: string; heading: string; text: string }[] = [{ id: '', heading: title, text: '' }]
  for (const token of lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] > 1) {
      const heading = (token as Tokens.Heading).text.replaceAll('`', '')
      passages.push({ id: idOf(heading), heading, text: '' })
    } else if (token.type !== 'heading' && token.type !== 'html') {
      const last = passages.at(-1)
      if (last) last.text += ` ${plainOf(token.raw)}`
    }
  }
  return passages.map((passage) => ({ ...passage, text: passage.text.trim() }))
}

/** The same ids as on GitHub, so that links work in both places. */
export const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Converts links between the files to links between pages. */
const addressOf = (href: string): string =>
  href
    .replace(/^\.\.\/sdk\/(node|python)\/README\.md(?=$|#)/, '/docs/sdk-$1')
    .replace(/^\.\.\/sdk\/(node|python)\/examples\//, '/docs/examples/$1/')
    .replace(/^(?:\.\/|\.\.\/\.\.\/docs\/)?([\w-]+)\.md(?=$|#)/, '/docs/$1')

/** The URL of the service in the files. */
const ADDRESS = 'http://localhost:3000'

/** A file or folder of the project. */
const PATH = /^[\w.-]+(\/[\w.*-]+)+\/?$/

/** The guide as Markdown, with the URL of this deployment. */
export const placeAddress = (source: string, url: string): string => source.replaceAll(ADDRESS, () => url)

/**
 * Renders a Markdown guide. HTML in it is shown as text. `url`: the URL of this deployment,
 * without a trailing slash. It replaces the URL of a local service.
 */
export function renderGuide(source: string, url = ADDRESS): Guide {
  const markdown = placeAddress(source, url)
  const sections: Section[] = []
  const rowPassages: Passage[] = []
  let title = ''
  /** The page contains `main` already. A row gets an id only if it is unique. */
  const taken = new Set(['main', ...headingsOf(markdown).map((text) => idOf(text))])
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replaceAll('`', '')
        const id = idOf(plain)
        if (depth === 1) title = plain
        if (depth === 2 || depth === 3) sections.push({ id, text: plain, depth })
        const inner = this.parser.parseInline(tokens)
        return depth === 1
          ? `<h1>${inner}</h1>\n`
          : `<h${depth} id="${escapeHtml(id)}">${inner} <a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      code: ({ text, lang = '' }: Tokens.Code) =>
        `<figure class="code"><figcaption>${escapeHtml(lang)}</figcaption><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`,
      // a path breaks after its slashes, not within a word
      codespan: ({ text }: Tokens.Codespan) =>
        `<code>${PATH.test(text) ? escapeHtml(text).replaceAll('/', '/<wbr>') : escapeHtml(text)}</code>`,
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<!--.*-->\s*$/s.test(text) ? '' : escapeHtml(text)),
      image: ({ text }: Tokens.Image) => escapeHtml(text),
      link({ href, tokens }: Tokens.Link) {
        const address = addressOf(href)
        const inner = this.parser.parseInline(tokens)
        return /^(https?:\/\/|\/|#)/.test(address) ? `<a href="${escapeHtml(address)}">${inner}</a>` : inner
      },
      table({ header, rows }: Tokens.Table) {
        const head = header.map(({ tokens }) => `<th>${this.parser.parseInline(tokens)}</th>`)
        // narrow screens show a row as a list, with each cell below its column's name
        const cells = (row: Tokens.TableCell[]) =>
          row.map(({ tokens }, i) => {
            const label = escapeHtml(header[i]?.text ?? '')
            return `<td data-label="${label}">${this.parser.parseInline(tokens)}</td>`
          })
        // the id of a row about one name, for links
        const id = (row: Tokens.TableCell[]) => {
          const [, name] = /^`([\w-]+)`$/.exec(row[0]?.text ?? '') ?? []
          if (name === undefined || taken.has(name)) return ''
          taken.add(name)
          rowPassages.push({ id: name, heading: name, text: plainOf(row.map(({ text }) => text).join(' ')) })
          return ` id="${escapeHtml(name)}"`
        }
        const body = rows.map((row) => `<tr${id(row)}>${cells(row).join('')}</tr>`)
        return `<div class="table"><table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { title, html, sections, passages: [...passagesOf(markdown, title), ...rowPassages] }
}

import { lexer, Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../kit/http/escape.ts'
import { EXAMPLES } from './examples.ts'
import { GUIDES } from './pages.ts'
import { idOf, type Passage, passagesOf, plainOf } from './passages.ts'

/** A heading of level 2 or 3. */
export type Section = Readonly<{ id: string; text: string; depth: number }>

/** A guide as HTML, its title, its headings for a table of contents, and its text by section for the search. */
export type Guide = Readonly<{
  title: string
  html: string
  sections: readonly Section[]
  passages: readonly Passage[]
}>

const headingsOf = (markdown: string): string[] =>
  lexer(markdown).flatMap((token) =>
    token.type === 'heading' ? [(token as Tokens.Heading).text.replaceAll('`', '')] : [],
  )

/** The pages by their files. */
const HREFS = new Map<string, string>(GUIDES.map(({ file, href }) => [file, href]))

/** Converts links between the files to links between pages. */
function addressOf(href: string): string {
  const [, path = '', section = ''] = /^((?:\.{1,2}\/)*[\w./-]+)(#.*)?$/.exec(href) ?? []
  const name = path.replace(/^(\.{1,2}\/)+/, '')
  const file = name.includes('/') ? name : `docs/${name}`
  const page = HREFS.get(file) ?? HREFS.get(name) ?? EXAMPLES.find((example) => example.file === file)?.href
  return page === undefined ? href : page + section
}

/** The URL of the service in the files. */
const ADDRESS = 'http://localhost:3000'

/** A file or folder of the project. */
const PATH = /^[\w.-]+(\/[\w.*-]+)+\/?$/

/** The guide as Markdown, with the URL of this deployment. */
export const placeAddress = (source: string, url: string): string => source.replaceAll(ADDRESS, () => url)

/** HTML of code in a language; an empty one if none is given. */
export type Highlight = (code: string, language: string) => string

/** A block of code. `caption`: what it is; the blocks of a group of tabs are named by it. */
export const figureOf = (html: string, caption: string, isTab = false): string =>
  `<figure class="code"${isTab ? ` data-tab="${escapeHtml(caption)}"` : ''}><figcaption>${escapeHtml(caption)}</figcaption><pre tabindex="0"><code>${html}</code></pre></figure>\n`

/**
 * Renders a Markdown guide. HTML in it is shown as text. `url`: the URL of this deployment,
 * without a trailing slash. It replaces the URL of a local service.
 */
export function renderGuide(markdown: string, url = ADDRESS, highlight: Highlight = escapeHtml): Guide {
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
      code({ text, lang = '' }: Tokens.Code) {
        const [, language = '', tab = ''] = /^(\S*)\s*(.*)$/.exec(lang) ?? []
        return figureOf(highlight(text, language), tab || language, tab !== '')
      },
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
          rowPassages.push({
            id: name,
            heading: name,
            aliases: '',
            isRow: true,
            code: '',
            text: row
              .slice(1)
              .map(({ text }) => plainOf(text))
              .join('\n'),
          })
          return ` id="${escapeHtml(name)}"`
        }
        const body = rows.map((row) => `<tr${id(row)}>${cells(row).join('')}</tr>`)
        return `<div class="table"><table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  const passages = [...passagesOf(markdown, title), ...rowPassages]
  return {
    title,
    html: placeAddress(html, escapeHtml(url)),
    sections,
    passages: passages.map(({ text, code, ...passage }) => ({
      ...passage,
      text: placeAddress(text, url),
      code: placeAddress(code, url),
    })),
  }
}

import { lexer, type Token, type Tokens } from 'marked'

/**
 * The text from one heading to the next, one line for each paragraph, list item and table row, and its lines of code. `id` is empty for what
 * precedes the first heading of level 2. `aliases`: words that lead here though the section may not contain them, from comments
 * such as `<!-- search: cors, cross-origin -->`. `isRow`: it is a row of a table.
 */
export type Passage = Readonly<{
  id: string
  heading: string
  aliases: string
  text: string
  code: string
  isRow?: true
}>

/** The same ids as on GitHub, so that links work in both places. */
export const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** One line without Markdown's marks and the addresses of links. */
export const plainOf = (markdown: string): string =>
  markdown
    .replace(/\]\([^)]*\)/g, '')
    // an asterisk or a bracket in code is part of it
    .replace(/`([^`]*)`|<(https?:[^>\s]+)>|[*[\]]/g, (_, code = '', address = '') => code + address)
    .replace(/\s+/g, ' ')
    .trim()

function linesOf(token: Token): string[] {
  switch (token.type) {
    case 'table':
      return (token as Tokens.Table).rows.map((row) => row.map(({ text }) => plainOf(text)).join(' · '))
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(linesOf))
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.flatMap(linesOf)
    case 'paragraph':
    case 'text':
      return [plainOf(token.raw)]
    default:
      return []
  }
}

/** A guide's text by section. */
export function passagesOf(markdown: string, title: string): Passage[] {
  const passages: { id: string; heading: string; aliases: string; lines: string[]; code: string[] }[] = []
  const open = (id: string, heading: string) => {
    const passage = { id, heading, aliases: '', lines: [] as string[], code: [] as string[] }
    passages.push(passage)
    return passage
  }
  let current = open('', title)
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') {
      const { depth, text } = token as Tokens.Heading
      const heading = text.replaceAll('`', '')
      if (depth > 1) current = open(idOf(heading), heading)
    } else if (token.type === 'code') current.code.push((token as Tokens.Code).text)
    else current.lines.push(...linesOf(token))
    const [, aliases] = (token.type === 'html' && /<!-- search: (.*?) -->/.exec(token.raw)) || []
    if (aliases !== undefined) current.aliases = aliases
  }
  return passages.map(({ lines, code, ...passage }) => ({ ...passage, text: lines.join('\n'), code: code.join('\n') }))
}

/** Markup that is safe to send: made by the `html` tag or by the SDK. Anything else is text and gets escaped. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template takes: `false`, `null` and `undefined` give nothing, an array gives its members. */
export type Part = Html | string | number | false | null | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Template tag: what is written is markup, what is interpolated is text. Attribute values must be quoted. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(markup.reduce((text, piece, index) => text + render(parts[index - 1]) + piece))
}

function render(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Html) return part.toString()
  if (typeof part === 'object') return part.map(render).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

import { readdirSync, readFileSync } from 'node:fs'

const PLUGIN = 'integrations/wordpress'
/** A call of WordPress's functions for translations, with the comment for translators above it. */
const CALL =
  /(?:\/\* translators: (?<about>[^*]*?) \*\/\s*[^\n]*?)?\b(?:__|esc_html__|esc_attr__|esc_html_e|esc_attr_e)\(\s*'(?<text>(?:[^'\\]|\\.)*)',\s*'tollgate'/g

type Message = { text: string; about?: string | undefined; places: string[] }

/** The texts of the plugin for WordPress, from which translators start: languages/tollgate.pot. */
export function potFile(): Record<string, string> {
  const messages = new Map<string, Message>()
  const add = (text: string, place: string, about?: string) => {
    const message = messages.get(text) ?? { text, about, places: [] }
    message.about ??= about
    message.places.push(place)
    messages.set(text, message)
  }
  const main = readFileSync(`${PLUGIN}/tollgate.php`, 'utf8')
  for (const header of ['Plugin Name', 'Description', 'Author'])
    add(new RegExp(`^ \\* ${header}: (.*)$`, 'm').exec(main)?.[1] ?? '', 'tollgate.php', `${header} of the plugin`)
  const files = readdirSync(PLUGIN, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /\.(php|js)$/.test(name)).toSorted()) {
    const source = readFileSync(`${PLUGIN}/${file}`, 'utf8')
    for (const { index, groups } of source.matchAll(CALL)) {
      const line = source.slice(0, source.indexOf(groups?.['text'] ?? '', index)).split('\n').length
      add((groups?.['text'] ?? '').replace(/\\(.)/g, '$1'), `${file}:${line}`, groups?.['about'])
    }
  }
  return { [`${PLUGIN}/languages/tollgate.pot`]: `${HEADER}\n${[...messages.values()].map(write).join('\n')}` }
}

const HEADER = `msgid ""
msgstr ""
"Project-Id-Version: Tollgate\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"X-Domain: tollgate\\n"
`

const write = ({ text, about, places }: Message): string =>
  [
    ...(about === undefined ? [] : [`#. ${about}`]),
    `#: ${places.join(' ')}`,
    ...(/%(\d\$)?s/.test(text) ? ['#, php-format'] : []),
    `msgid ${JSON.stringify(text)}`,
    'msgstr ""\n',
  ].join('\n')

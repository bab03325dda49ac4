// The search over all guides. Index and engine are loaded with the first use, from this service.
const place = document.querySelector('#search')
place.innerHTML = `<button type="button" aria-haspopup="dialog"><span>Search</span> <kbd>/</kbd></button>
<dialog aria-label="Search the documentation"><form method="dialog">
<input type="search" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<button value="close" aria-label="Close">Esc</button></form>
<p role="status"></p><ul id="found" role="listbox" aria-label="Results"></ul></dialog>`
const [button, dialog, input, status, list] = ['button', 'dialog', 'input', '[role=status]', 'ul'].map((part) =>
  place.querySelector(part),
)
const MOST = 12
const ERRORS = '/docs/errors#'
/** Words of questions, which say nothing about their subject. */
const COMMON = new Set(
  'a an and are as at be by can do does for from get has have here how i if in is it me my not of on or our so that the there this to use used using was we what when where which why will with wrong you your'.split(
    ' ',
  ),
)
/** What readers ask for, and the words of the docs. */
const SYNONYMS = [
  [/.*\btokens?\b.*\b(twice|again|re-?us\w+)\b.*|.*\b(twice|re-?us\w+)\b.*\btokens?\b.*/, 'already-redeemed'],
  [/\bget(ting)?[ -]?started\b/, 'quick start'],
  [
    /\b(duplicate|double|repeated)[ -](submission|submit|click|form)s?\b|.*\b(press|click|submit|sen[dt])\w*\b.*\btwice\b.*/,
    'time-outs, retries and replays',
  ],
  [/\b(log|sign)[ -]?in\b/, 'sign-in'],
  [/\b(wildcard|allowed) (sub)?domains?\b|\bsubdomains?\b/, 'wildcard hostname'],
  [/\b(change|set|raise|lower) (the )?difficulty\b/, "a site's policy"],
  [/\bfail(s|ing)?[ -](open|closed)\b/, 'when tollgate is down'],
  [/^(tls|ssl|https)$/, 'behind a proxy'],
]
let engine
let chosen = 0

/** A term as it is indexed: in lower case, and in the singular. */
const normalize = (term) => term.toLowerCase().replace(/(?<=[a-z]{3,})(?<!s)s$/, '')

async function load() {
  const [{ default: MiniSearch }, reply] = await Promise.all([
    import('/docs/minisearch.js'),
    fetch('/docs/search.json'),
  ])
  if (!reply.ok) throw new Error(`/docs/search.json answered ${reply.status}`)
  const search = new MiniSearch({
    idField: 'path',
    fields: ['heading', 'aliases', 'title', 'text', 'code'],
    storeFields: ['title', 'heading', 'text', 'code', 'isRow', 'isInternal'],
    // also the parts of names such as already-redeemed and data-sitekey
    tokenize: (text) =>
      text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => [word, ...(/[_-]/.test(word) ? word.split(/[_-]+/) : [])]),
    processTerm: normalize,
    searchOptions: {
      processTerm: (term) => (COMMON.has(term.toLowerCase()) ? null : normalize(term)),
      boost: { heading: 4, aliases: 4, title: 2 },
      // other pages have shorter rows about a code, but not its causes
      boostDocument: (path) => (path.startsWith(ERRORS) ? 2 : 1),
      prefix: true,
      combineWith: 'AND',
    },
  })
  search.addAll(await reply.json())
  return search
}

/** Whether what was found of the query is in the heading of the section, or leads to it. The title of the page is that of all its sections. */
function isAbout({ match, queryTerms }) {
  // words that only resemble those of the query count where the section does not have these
  const exact = queryTerms.map((term) => match[term])
  const places = (exact.includes(undefined) ? Object.values(match) : exact).filter(
    (fields) => fields.join() !== 'title',
  )
  return places.length > 0 && places.every((fields) => fields.includes('heading') || fields.includes('aliases'))
}

/**
 * 0: has the query as its heading. 1: a section about it. 2: a row of a table about it, except of an error. 3: only mentions it, or has
 * a word that begins with the one to three letters of the query. 4: only its code has the query. 5: a page about the internals of the service.
 */
function rankOf(result, query) {
  const { match, queryTerms } = result
  if (result.heading.toLowerCase() === query.toLowerCase()) return 0
  if (result.isInternal) return 5
  if (Object.values(match).every((fields) => fields.join() === 'code')) return 4
  const isShort = queryTerms.some((term) => term.length < 4 && !match[term])
  if (isShort || !isAbout(result)) return 3
  return result.isRow && !result.id.startsWith(ERRORS) ? 2 : 1
}

/**
 * The results with all words of the query by their rank, and of one rank in the order of the engine. If there are none, those with words
 * that resemble these, and otherwise those with any of them, the best match first.
 */
function find(search, asked) {
  const query = SYNONYMS.reduce((text, [words, ours]) => text.replace(words, ours), asked.toLowerCase())
  // words of questions count if there are no others
  const isCommon = query.split(/[^\p{L}\p{N}_-]+/u).every((word) => word === '' || COMMON.has(word))
  const exact = search.search(query, isCommon ? { processTerm: normalize } : {})
  const fuzzy = (term) => (term.length > 4 ? 0.2 : 0)
  const whole = exact.length > 0 ? exact : search.search(query, { fuzzy })
  const found =
    whole.length > 0
      ? whole.toSorted((a, b) => rankOf(a, query) - rankOf(b, query))
      : // a short word would match the beginning of too many
        search.search(query, { combineWith: 'OR', fuzzy, boostDocument: undefined, prefix: (term) => term.length > 3 })
  return { found: found.slice(0, MOST), isWhole: whole.length > 0 }
}

/** The first sentence with a word that was found, which is marked, and the rest of its paragraph or row. */
function excerpt(lines, terms) {
  // terms consist of letters, digits, - and _
  const words = new RegExp(`(${terms.join('|')})`, 'iu')
  const sentences = (lines.find((line) => words.test(line)) ?? lines[0]).split(/(?<=[.!?]) (?=\p{Lu})/u)
  const first = sentences.findIndex((sentence) => words.test(sentence))
  const pieces = sentences.slice(Math.max(0, first)).join(' ').split(words)
  const element = document.createElement('small')
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) element.append(piece)
    else element.append(Object.assign(document.createElement('mark'), { textContent: piece }))
  }
  return element
}

async function show() {
  const query = input.value.trim()
  list.replaceChildren()
  chosen = 0
  if (query === '') {
    status.textContent = ''
    input.setAttribute('aria-expanded', 'false')
    return
  }
  let found
  let isWhole
  try {
    engine ??= load()
    ;({ found, isWhole } = find(await engine, query))
  } catch {
    engine = undefined
    status.textContent = 'The search could not be loaded. Try again.'
    return
  }
  if (query !== input.value.trim()) return
  status.textContent =
    found.length === 0
      ? `No page contains “${query}”.`
      : isWhole
        ? ''
        : 'No page contains all of these words. The best matches:'
  list.replaceChildren(
    ...found.map(({ id, title, heading, text, code, terms }, index) => {
      const item = Object.assign(document.createElement('li'), { id: `found-${index}`, role: 'option' })
      const link = Object.assign(document.createElement('a'), { href: id, tabIndex: -1 })
      const name = Object.assign(document.createElement('span'), {
        textContent: title === heading ? title : `${title} › ${heading}`,
      })
      link.append(name, excerpt([...text.split('\n'), ...code.split('\n')], terms))
      item.append(link)
      return item
    }),
  )
  input.setAttribute('aria-expanded', String(found.length > 0))
  choose(0)
}

function choose(index) {
  const items = [...list.children]
  if (items.length === 0) return
  chosen = (index + items.length) % items.length
  for (const [at, item] of items.entries()) item.setAttribute('aria-selected', String(at === chosen))
  input.setAttribute('aria-activedescendant', items[chosen].id)
  items[chosen].scrollIntoView({ block: 'nearest' })
}

function open() {
  dialog.showModal()
  input.select()
}

button.addEventListener('click', open)
input.addEventListener('input', () => void show())
list.addEventListener('click', () => dialog.close())
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') choose(chosen + 1)
  else if (event.key === 'ArrowUp') choose(chosen - 1)
  else if (event.key === 'Enter') list.children[chosen]?.querySelector('a').click()
  else return
  event.preventDefault()
})
addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
  const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey))
  if (!isShortcut || dialog.open) return
  event.preventDefault()
  open()
})

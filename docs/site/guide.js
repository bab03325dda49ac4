// Gives every code block a button that copies it.
for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  const say = (text) => {
    button.textContent = text
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  }
  button.addEventListener('click', () => {
    const { textContent } = figure.querySelector('code')
    // absent where the page came over plain http from another machine
    const copied = navigator.clipboard?.writeText(textContent) ?? Promise.reject(new Error('no clipboard'))
    copied.then(
      () => say('Copied'),
      () => say('Not copied'),
    )
  })
  figure.querySelector('figcaption').append(button)
}

// Shows adjacent code blocks of several languages as tabs. The choice holds for all of them, and is kept in this browser.
const STORE = 'tollgate.docsLanguage'
const groups = []
for (const figure of document.querySelectorAll('figure[data-tab]')) {
  const follows = figure.previousElementSibling?.matches('figure[data-tab]')
  if (!follows) groups.push({ figures: [], tabs: [] })
  groups.at(-1).figures.push(figure)
}

function showLanguage({ figures, tabs, bar }, language) {
  for (const figure of figures) figure.hidden = figure.dataset.tab !== language
  figures
    .find(({ hidden }) => !hidden)
    .querySelector('figcaption')
    .prepend(bar)
  for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.textContent === language))
}

function choose(event) {
  const { textContent: language } = event.target
  const { top } = event.target.getBoundingClientRect()
  for (const group of groups) if (group.tabs.some((tab) => tab.textContent === language)) showLanguage(group, language)
  // the bar was moved, and blocks above may be longer or shorter now
  event.target.focus({ preventScroll: true })
  scrollBy(0, event.target.getBoundingClientRect().top - top)
  try {
    localStorage.setItem(STORE, language)
  } catch {
    // without storage, the choice holds for this page
  }
}

let stored
try {
  stored = localStorage.getItem(STORE)
} catch {
  // as if nothing had been chosen
}
for (const group of groups) {
  const names = [...new Set(group.figures.map(({ dataset }) => dataset.tab))]
  if (names.length === 1) continue
  const bar = document.createElement('div')
  bar.className = 'tabs'
  group.bar = bar
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', 'Language')
  group.tabs = names.map((name) => {
    const tab = Object.assign(document.createElement('button'), { type: 'button', textContent: name })
    tab.addEventListener('click', choose)
    return tab
  })
  bar.append(...group.tabs)
  // the names are those of the tabs
  for (const figure of group.figures) figure.querySelector('figcaption').firstChild.remove()
  showLanguage(group, names.includes(stored) ? stored : names[0])
}
// the browser went there while all blocks were shown
if (groups.length > 0) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()

// The list of pages and the table of contents are open beside the text, and closed above it.
const beside = matchMedia('(min-width: 60.01rem)')
const unfold = () => {
  for (const list of document.querySelectorAll('.pages, .contents')) list.open = beside.matches
}
beside.addEventListener('change', unfold)
unfold()
document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' })

// Marks the section that is being read in the table of contents.
const links = new Map(
  [...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
)
const headings = [...document.querySelectorAll('main :is(h2, h3)[id]')].filter(({ id }) => links.has(id))
const mark = () => {
  const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0]
  for (const [id, link] of links) link.toggleAttribute('data-read', id === read?.id)
}
addEventListener('scroll', mark, { passive: true })
mark()

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

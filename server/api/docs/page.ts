import { escapeHtml } from '../../kit/http/escape.ts'
import { EXAMPLES, type Example } from './examples.ts'
import { figureOf, type Guide, type Section } from './guide.ts'
import { GROUPS, GUIDES, type Href } from './pages.ts'

const BRAND = `<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"/><path d="m9 12 2 2 4-4"/></svg>Tollgate</a>`

/** Of a page that is in the navigation; undefined for one that is not. */
type Here = Href | undefined

const link = (here: Here, href: Href, name: string): string =>
  `<a href="${href}"${href === here ? ' aria-current="page"' : ''}>${name}</a>`

function layout(here: Here, title: string, body: string, scripts: readonly string[]): string {
  const bar =
    here === '/docs/api'
      ? link(here, '/docs', 'Guides') + link(here, '/docs/api', 'API reference')
      : `<a href="/docs" aria-current="true">Guides</a>${link(here, '/docs/api', 'API reference')}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Tollgate</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/theme.js"></script>
${scripts.join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
${BRAND}
<nav aria-label="Documentation">${bar}<a href="/sign-in">Console</a></nav>
<div id="search"></div>
</header>
${body}
</body>
</html>`
}

/** All pages by group, for the side of a guide. */
function pagesNav(here: Here): string {
  const groups = GROUPS.map(({ name, pages }) => {
    const items = pages.map((page) => `<li>${link(here, page.href, page.name)}</li>`)
    return `<h2>${name}</h2><ul>${items.join('')}</ul>`
  })
  return `<details class="pages"><summary>All pages</summary><nav aria-label="Guides">${groups.join('')}</nav></details>`
}

/** The table of contents; nothing for a page without sections. */
function contentsOf(sections: readonly Section[]): string {
  const items = sections.map(
    ({ id, text, depth }) =>
      `<li${depth === 3 ? ' class="deep"' : ''}><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  )
  return items.length === 0
    ? ''
    : `<details class="contents"><summary>On this page</summary><nav aria-label="On this page"><ol>${items.join('')}</ol></nav></details>`
}

/** Links to the guides before and after this one. */
function turn(here: Href): string {
  const at = GUIDES.findIndex(({ href }) => href === here)
  const to = (step: number, rel: string, label: string) => {
    const page = GUIDES[at + step]
    return page ? `<a rel="${rel}" href="${page.href}"><span>${label}</span>${page.name}</a>` : '<span></span>'
  }
  return `<nav class="turn" aria-label="Previous and next page">${at > 0 ? to(-1, 'prev', 'Previous') : '<span></span>'}${to(1, 'next', 'Next')}</nav>`
}

/** The version, and a link to what a page was made from. */
const aboutPage = (version: string, href: string, label: string): string =>
  `<p class="about">Tollgate ${escapeHtml(version)} <a href="${href}">${label}</a></p>`

/** A page between the list of all pages and its own table of contents. */
const textPage = (here: Here, { title, html, sections }: Omit<Guide, 'passages'>, about: string): string =>
  layout(
    here,
    title,
    `<div class="guide">
${pagesNav(here)}
${contentsOf(sections)}
<main id="main" tabindex="-1">
${html}${about}
</main>
</div>`,
    ['<script src="/docs/guide.js" defer></script>', '<script src="/docs/search.js" type="module"></script>'],
  )

export const guidePage = (here: Href, guide: Guide, version: string, markdown: string): string =>
  textPage(here, { ...guide, html: guide.html + turn(here) }, aboutPage(version, markdown, 'View as Markdown'))

/** What a reader gets for an address under /docs that leads nowhere. */
export const missingPage = (): string =>
  textPage(
    undefined,
    {
      title: 'Page not found',
      html: '<h1>Page not found</h1><p>There is no such page. Search above, or start with <a href="/docs">the overview</a>.</p>',
      sections: [],
    },
    '',
  )

/** The address of an example's file itself. */
export const rawOf = (href: string): string => `${href}/raw`

/** A file of an example program, with links to its other files. `code`: as HTML. */
export function examplePage({ href, name, group }: Example, code: string, version: string): string {
  const files = EXAMPLES.filter((example) => example.group === group).map((example) =>
    example.href === href ? `<b>${name}</b>` : `<a href="${example.href}">${example.name}</a>`,
  )
  const html = `<h1>${name}</h1>
<p><a href="/docs/examples">Examples</a>, ${group}: ${files.join(', ')}</p>
${figureOf(code, name)}`
  return textPage('/docs/examples', { title: name, html, sections: [] }, aboutPage(version, rawOf(href), 'View raw'))
}

/** The API reference, which its script renders from /openapi.json. */
export const referencePage = (): string =>
  layout(
    '/docs/api',
    'API reference',
    // the script makes the `main` landmark, and marks the current one of the two
    `<nav class="apis" aria-label="APIs"><a href="/docs/api" data-api="verification">Verification API</a><a href="/docs/api?api=management" data-api="management">Management API</a></nav>
<div id="main" tabindex="-1"><div id="reference"></div><noscript><main><p class="notice">The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> and the guides do not.</p></main></noscript></div>`,
    [
      '<script src="/docs/scalar.js" defer></script>',
      '<script src="/docs/reference.js" defer></script>',
      '<script src="/docs/search.js" type="module"></script>',
    ],
  )

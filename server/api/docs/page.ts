import { escapeHtml } from '../../kit/escape.ts'
import type { Guide } from './guide.ts'

/** The pages under /docs, in the order of the navigation; each except the reference is a Markdown file of the project. */
export const PAGES = [
  { href: '/docs/integration', name: 'Integration', file: 'docs/integration.md' },
  { href: '/docs/sdk-node', name: 'Node.js', file: 'sdk/node/README.md' },
  { href: '/docs/sdk-python', name: 'Python', file: 'sdk/python/README.md' },
  { href: '/docs', name: 'API reference', file: undefined },
  { href: '/docs/hashwx', name: 'HashWX', file: 'docs/hashwx.md' },
  { href: '/docs/errors', name: 'Errors', file: 'docs/errors.md' },
  { href: '/docs/operations', name: 'Operations', file: 'docs/operations.md' },
  { href: '/docs/attack-price', name: 'Attack price', file: 'docs/attack-price.md' },
] as const

type Href = (typeof PAGES)[number]['href']

function layout(here: Href, title: string, body: string, script: string): string {
  const links = PAGES.map(
    ({ href, name }) => `<a href="${href}"${href === here ? ' aria-current="page"' : ''}>${name}</a>`,
  )
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
${script}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"/><path d="m9 12 2 2 4-4"/></svg>Tollgate</a>
<nav aria-label="Documentation">${links.join('')}</nav>
</header>
${body}
</body>
</html>`
}

/** A guide with its table of contents. */
export function guidePage(here: Href, { title, html, sections }: Guide): string {
  const contents = sections.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
  return layout(
    here,
    title,
    `<div class="guide">
<details class="contents"><summary>On this page</summary><ol>${contents.join('')}</ol></details>
<main id="main" tabindex="-1">
${html}</main>
</div>`,
    '<script src="/docs/guide.js" defer></script>',
  )
}

/** The API reference, which its script renders from /openapi.json. */
export const referencePage = (): string =>
  layout(
    '/docs',
    'API reference',
    `<main id="main" tabindex="-1"><div id="reference"></div><noscript><p class="notice">The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> and the guides do not.</p></noscript></main>`,
    '<script src="/docs/scalar.js" defer></script>\n<script src="/docs/reference.js" defer></script>',
  )

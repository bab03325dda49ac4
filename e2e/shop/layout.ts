import { renderScript } from '@tollgate/node'
import { mark } from './drawings.ts'
import { Html, html } from './html.ts'
import type { Notice } from './refusals.ts'

/** A page ready to be sent. */
export type Page = {
  readonly status: number
  readonly markup: Html
  readonly headers?: Readonly<Record<string, string>>
}

type PageParts = {
  readonly title: string
  readonly main: Html
  /** HTTP status; 200 unless told. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Path of the navigation entry to mark as the current one. */
  readonly here?: string
  /** Where the check's script comes from; only pages with a form load it. */
  readonly widget?: string
}

const entries = [
  { path: '/', label: 'Parts' },
  { path: '/signup', label: 'Sunday letter' },
  { path: '/activity', label: 'Your activity' },
]

/** The frame around every page. */
export function layOut({ title, main, status = 200, headers = {}, here, widget }: PageParts): Page {
  const markup = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Pennywheel</title>
  <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/shop.css">
  <script src="/shop.js" defer></script>
  ${widget !== undefined && new Html(renderScript({ url: widget }))}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <a class="brand" href="/">${mark}<span>Pennywheel</span></a>
    <nav aria-label="Shop">
      ${entries.map(
        ({ path, label }) => html`<a href="${path}"${path === here && html` aria-current="page"`}>${label}</a>`,
      )}
    </nav>
  </header>
  <main id="main" tabindex="-1">
${main}
  </main>
  <footer class="bottom">
    <p>Pennywheel is a demonstration: nothing is delivered and nobody is charged.</p>
    <p>Forms guarded by Tollgate.</p>
  </footer>
</body>
</html>
`
  return { status, markup, headers }
}

/** A notice on its page: what stands above the content, and what it makes of status and headers. */
export function drawSaid(notice: Notice | undefined): { markup: Html | undefined; head: Partial<PageParts> } {
  if (notice === undefined) return { markup: undefined, head: {} }
  const { status, text, retryAfter } = notice
  return {
    markup: html`<div class="notice" role="alert" tabindex="-1" autofocus>${text}</div>`,
    head: { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) } },
  }
}

const moments = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** A moment to read, in UTC. */
export function drawMoment(moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${moments.format(moment)}</time>`
}

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../kit/context.ts'
import { escapeHtml } from '../kit/http/escape.ts'
import { fontFaces } from '../kit/http/fonts.ts'
import { isForwarded, isLoopback } from '../kit/http/peer.ts'
import type { CapturedEmail } from '../kit/process/mail.ts'
import { refuseForeignHost } from './host.ts'

/** Allows no script but that of the theme, no external style and no frame. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const PATH = '/dev/mailbox'
const COOKIE = 'tollgate.mailbox'

const HINT = `The mailbox opens with its own link. The start report shows where the link is: demo.json in the data directory.
`

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `people`: the demo accounts with their passwords, which the sign-in page offers to a browser that has opened the mailbox. */
export type Mailbox = {
  token: string
  people: readonly { email: string; name: string; role: string; password: string }[]
}

/**
 * Entry point /dev/mailbox: the e-mails that an evaluation captured. Their links give access to every account, so it is
 * only for the person at this machine: the peer must be on the loopback interface, no proxy forwarded the request, and it
 * carries the token. The link with the token sets a cookie and redirects, so that the token does not stay in the address
 * bar.
 */
export function mountMailbox(app: FastifyInstance, ctx: Context, { token, people }: Mailbox): void {
  const right = digest(token)
  const opens = (given: string | undefined): boolean => given !== undefined && timingSafeEqual(digest(given), right)
  void app.register(async (door) => {
    const isNear = ({ socket, headers }: FastifyRequest) => isLoopback(socket.remoteAddress) && !isForwarded(headers)
    door.addHook('onRequest', refuseForeignHost(ctx.config))
    door.get(PATH, async (request, reply) => {
      if (!isNear(request)) return reply.callNotFound()
      void reply
        .header('cache-control', 'no-store')
        .header('content-security-policy', POLICY)
        .header('referrer-policy', 'no-referrer')
      if (opens(tokenInQuery(request))) return reply.header('set-cookie', cookieOf(token)).redirect(PATH, 303)
      return opens(tokenInCookie(request))
        ? reply.type('text/html; charset=utf-8').send(page(ctx.mail.captured()))
        : reply.code(404).type('text/plain; charset=utf-8').send(HINT)
    })
    door.get(`${PATH}/people`, async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      // the sign-in page asks in every browser, whose console shows a 404 as an error
      return isNear(request) && opens(tokenInCookie(request)) ? people : []
    })
  })
}

const cookieOf = (token: string): string => `${COOKIE}=${token}; Path=${PATH}; HttpOnly; SameSite=Strict`

function tokenInQuery({ query }: FastifyRequest): string | undefined {
  const { token } = Object(query) as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}

function tokenInCookie({ headers }: FastifyRequest): string | undefined {
  const prefix = `${COOKIE}=`
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim())
  return pairs?.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
}

function page(emails: readonly CapturedEmail[]): string {
  const body =
    emails.length === 0
      ? '<p>No e-mail yet. What the service would send appears here.</p>'
      : emails.map(article).join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox · Tollgate</title>
<script src="/theme.js"></script>
<style>
${fontFaces()}
:root { color-scheme: light dark } [data-theme=light] { color-scheme: light } [data-theme=dark] { color-scheme: dark }
body { font: 14px/1.5 "Inter Variable", system-ui, sans-serif; max-width: 720px; margin: 0 auto; padding: 24px 16px;
  background: light-dark(oklch(0.985 0.003 250), oklch(0.175 0.012 260)); color: light-dark(oklch(0.235 0.018 260), oklch(0.955 0.005 250)) }
h1 { font-size: 20px } h2 { font-size: 16px; margin: 0 }
article { background: light-dark(#fff, oklch(0.21 0.013 260)); border: 1px solid light-dark(oklch(0.915 0.006 250), oklch(0.3 0.014 260)); border-radius: 10px; padding: 16px; margin: 16px 0 }
p { overflow-wrap: anywhere; margin: 8px 0 } header p { color: light-dark(oklch(0.45 0.02 260), oklch(0.79 0.012 255)) }
a { color: light-dark(oklch(0.44 0.115 165), oklch(0.8 0.13 165)) }
.action { display: inline-block; border: 1px solid; border-radius: 8px; padding: 6px 12px; font-weight: 600; text-decoration: none }
</style></head>
<body><main><p><a href="/">Start page</a> · <a href="/sign-in">Sign in</a></p><h1>Mailbox</h1>
<p>E-mails of this evaluation, newest first. They are kept in memory and never sent. Set SMTP_URL to send e-mail.</p>
${body}
</main></body></html>`
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

function article({ to, subject, text, at }: CapturedEmail): string {
  const time = new Date(at * 1000)
  const paragraphs = text.split('\n\n').map((line) => `<p>${linked(line)}</p>`)
  return `<article><header><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)} · <time datetime="${time.toISOString()}">${TIME.format(time)} UTC</time></p></header>
${paragraphs.join('\n')}</article>`
}

/** The escaped line; one of a label and a URL, as composeEmail writes them, is a link. */
function linked(line: string): string {
  const [, label, url] = /^(.+): (https?:\/\/\S+)$/.exec(line) ?? []
  return label === undefined || url === undefined
    ? escapeHtml(line)
    : `<a class="action" href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
}

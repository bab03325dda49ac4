import type { FastifyInstance } from 'fastify'
import type { Context } from '../kit/context.ts'
import { escapeHtml } from '../kit/html.ts'
import type { CapturedLetter } from '../kit/mail.ts'

/** No script, no style of others, no frame: only what this page itself writes. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** DOOR: the mail that an evaluation captured, at /dev/mailbox. It opens every account, hence nowhere else. */
export function mountMailbox(app: FastifyInstance, ctx: Context): void {
  if (!ctx.config.demo) return
  app.get('/dev/mailbox', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(page(ctx.mail.captured())),
  )
}

function page(letters: readonly CapturedLetter[]): string {
  const body =
    letters.length === 0
      ? '<p>No mail yet. What the service would send appears here.</p>'
      : letters.map(article).join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox · Tollgate</title>
<style>
:root { color-scheme: light dark }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 720px; margin: 0 auto; padding: 24px 16px }
h1 { font-size: 20px } h2 { font-size: 16px; margin: 0 }
article { border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: 10px; padding: 16px; margin: 16px 0 }
p { overflow-wrap: anywhere; margin: 8px 0 } header p { opacity: .75 }
</style></head>
<body><main><h1>Mailbox</h1>
<p>Mail of this evaluation: captured in memory, newest first, never sent. Set SMTP_URL to send.</p>
${body}
</main></body></html>`
}

function article({ to, subject, text, at }: CapturedLetter): string {
  const time = new Date(at * 1000).toISOString()
  const paragraphs = text.split('\n\n').map((line) => `<p>${linked(line)}</p>`)
  return `<article><header><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)} · <time datetime="${time}">${time}</time></p></header>
${paragraphs.join('\n')}</article>`
}

/** The line escaped, with a link where it ends in a web address. */
function linked(line: string): string {
  const match = /^(.*)(https?:\/\/\S+)$/.exec(line)
  const [, before = '', url = ''] = match ?? []
  return match ? `${escapeHtml(before)}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>` : escapeHtml(line)
}

import { escapeHtml } from '../kit/http/escape.ts'
import type { Email } from '../kit/process/mail.ts'

type Content = {
  to: string
  subject: string
  paragraphs: string[]
  link: { label: string; url: string }
  ending: string
}

/** One e-mail as plain text and as simple HTML, with one link. */
export function composeEmail({ to, subject, paragraphs, link, ending }: Content): Email {
  const text = [...paragraphs, `${link.label}: ${link.url}`, ending, 'Tollgate'].join('\n\n')
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1b1f;background:#ffffff">
<div style="max-width:480px;margin:0 auto">
${paragraphs.map((line) => paragraph(escapeHtml(line))).join('\n')}
${paragraph(`<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`)}
${paragraph(`<small>${escapeHtml(ending)}</small>`)}
<p style="margin:0">Tollgate</p>
</div></body></html>`
  return { to, subject, text, html }
}

/**
 * A name as an e-mail may quote it: `other` if a mail program could make a link of a part of it. Names are chosen by people
 * who also choose the recipient, and the e-mail is sent as ours.
 */
export const quotable = (name: string, other: string): string =>
  /[^\s.]\.[^\s.]|[/\\@]|www/iu.test(name) ? other : name

/**
 * A free text in quotation marks, so that it does not read as ours; without line breaks, and with the text's own quotation
 * marks as single ones, so that it cannot end the quotation. The whole is left out if it could become a link.
 */
export const quoted = (text: string): string =>
  quotable(text, '') === ''
    ? '(a text with a link, which the console shows)'
    : `“${text.replace(/\s+/gu, ' ').replace(/["“”„«»]/gu, "'")}”`

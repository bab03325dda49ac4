import { escapeHtml } from '../../kit/html.ts'
import type { Letter } from '../../kit/mail.ts'

type Content = {
  to: string
  subject: string
  paragraphs: string[]
  link: { label: string; url: string }
  ending: string
}

/** One letter as plain text and as simple HTML, with one link. */
export function compose({ to, subject, paragraphs, link, ending }: Content): Letter {
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

/*
 * Tokens stand behind `#`: browsers send that part to nobody, so they reach no log and no Referer, and a mail scanner
 * that opens the link uses nothing up.
 */

export const verifyLetter = (publicUrl: string, to: { email: string }, token: string): Letter =>
  compose({
    to: to.email,
    subject: 'Confirm your e-mail address',
    paragraphs: ['Somebody, we hope you, signed up at Tollgate with this address.'],
    link: { label: 'Confirm this address', url: `${publicUrl}/verify-email#token=${token}` },
    ending: 'The link works for one hour. If it was not you, do not open it: nothing happens then.',
  })

export const resetLetter = (publicUrl: string, to: { email: string }, token: string): Letter =>
  compose({
    to: to.email,
    subject: 'Choose a new password',
    paragraphs: ['Somebody asked to choose a new password for your Tollgate account.'],
    link: { label: 'Choose a password', url: resetLink(publicUrl, token) },
    ending: 'The link works once, for one hour. If it was not you, ignore this mail: your password stays.',
  })

export const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset#token=${token}`

/** For who signs up with an address that has an account: the page answers as to a new one, only the mailbox knows. */
export const knownLetter = (publicUrl: string, to: { email: string }): Letter =>
  compose({
    to: to.email,
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, perhaps you, signed up at Tollgate with this address. It has an account already, and nothing was changed.',
    ],
    link: { label: 'Choose a new password if you forgot yours', url: `${publicUrl}/forgot` },
    ending: 'If it was not you, ignore this mail.',
  })

export const invitationLetter = (
  publicUrl: string,
  invitation: { id: string; email: string; role: string; tenant: string; inviter: string },
): Letter =>
  compose({
    to: invitation.email,
    subject: `${invitation.inviter} invites you to ${invitation.tenant}`,
    paragraphs: [`${invitation.inviter} invites you to join ${invitation.tenant} at Tollgate as ${invitation.role}.`],
    link: { label: 'See the invitation', url: `${publicUrl}/invite/${invitation.id}` },
    ending: `The invitation is for ${invitation.email}, works once, and ends after 72 hours.`,
  })

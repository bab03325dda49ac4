import type { Email } from '../../kit/mail.ts'
import { composeEmail } from '../email.ts'

/*
 * Tokens stand behind `#`: browsers send that part to nobody, so they reach no log and no Referer, and a mail scanner
 * that opens the link uses nothing up.
 */

export const verifyEmail = (publicUrl: string, to: { email: string }, token: string): Email =>
  composeEmail({
    to: to.email,
    subject: 'Confirm your e-mail address',
    paragraphs: ['Somebody, we hope you, signed up at Tollgate with this address.'],
    link: { label: 'Confirm this address', url: `${publicUrl}/verify-email#token=${token}` },
    ending: 'The link works for one hour. If it was not you, do not open it: nothing happens then.',
  })

export const resetEmail = (publicUrl: string, to: { email: string }, token: string): Email =>
  composeEmail({
    to: to.email,
    subject: 'Choose a new password',
    paragraphs: ['Somebody asked to choose a new password for your Tollgate account.'],
    link: { label: 'Choose a password', url: resetLink(publicUrl, token) },
    ending: 'The link works once, for one hour. If it was not you, ignore this mail: your password stays.',
  })

export const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset#token=${token}`

/** For who signs up with an address that has an account: the page answers as to a new one, only the mailbox knows. */
export const knownEmail = (publicUrl: string, to: { email: string }): Email =>
  composeEmail({
    to: to.email,
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, perhaps you, signed up at Tollgate with this address. It has an account already, and nothing was changed.',
    ],
    link: { label: 'Choose a new password if you forgot yours', url: `${publicUrl}/forgot` },
    ending: 'If it was not you, ignore this mail.',
  })

export const invitationEmail = (
  publicUrl: string,
  invitation: { id: string; email: string; role: string; tenant: string; inviter: string },
): Email =>
  composeEmail({
    to: invitation.email,
    subject: `${invitation.inviter} invites you to ${invitation.tenant}`,
    paragraphs: [`${invitation.inviter} invites you to join ${invitation.tenant} at Tollgate as ${invitation.role}.`],
    link: { label: 'See the invitation', url: `${publicUrl}/invite/${invitation.id}` },
    ending: `The invitation is for ${invitation.email}, works once, and ends after 72 hours.`,
  })

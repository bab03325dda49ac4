import type { Email } from '../../kit/process/mail.ts'
import { composeEmail, quotable } from '../email.ts'

/*
 * Tokens come after `#`. Browsers do not send that part, so tokens do not reach logs or the Referer header, and a mail
 * scanner that opens the link does not use the token up.
 */

/** `next`: the page of the console to open after signing in. */
export const verifyEmail = (publicUrl: string, to: { email: string }, token: string, next?: string): Email =>
  composeEmail({
    to: to.email,
    subject: 'Confirm your e-mail address',
    paragraphs: ['Confirm your e-mail address to finish signing up for Tollgate.'],
    link: {
      label: 'Confirm this address',
      url: `${publicUrl}/verify-email#${new URLSearchParams({ token, email: to.email, ...(next !== undefined && { next }) }).toString()}`,
    },
    ending: 'The link works for one hour. If you did not sign up, ignore this e-mail.',
  })

export const resetEmail = (publicUrl: string, to: { email: string }, token: string): Email =>
  composeEmail({
    to: to.email,
    subject: 'Choose a new password',
    paragraphs: ['We received a request to choose a new password for your Tollgate account.'],
    link: { label: 'Choose a password', url: resetLink(publicUrl, token) },
    ending:
      'The link works once, for one hour. If you did not request it, ignore this e-mail: your password stays the same.',
  })

export const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset#token=${token}`

/** For a sign-up with an address that has an account. The page gives the same answer as for a new address, so only the owner of the mailbox learns it. */
export const knownEmail = (publicUrl: string, to: { email: string }): Email =>
  composeEmail({
    to: to.email,
    subject: 'You already have an account',
    paragraphs: [
      'Someone tried to sign up for Tollgate with this address, but it already has an account. Nothing was changed.',
    ],
    link: { label: 'Choose a new password if you forgot yours', url: `${publicUrl}/forgot` },
    ending: 'If it was not you, ignore this e-mail.',
  })

export const lockedEmail = (publicUrl: string, to: { email: string }): Email =>
  composeEmail({
    to: to.email,
    subject: 'Five wrong codes at your account',
    paragraphs: [
      'Someone signed in to your Tollgate account with your password and then entered five wrong codes. No codes are accepted for the next 10 minutes.',
    ],
    link: { label: 'Choose a new password if it was not you', url: `${publicUrl}/forgot` },
    ending: 'If it was you, wait 10 minutes and then enter the code that your authenticator app shows.',
  })

export const invitationEmail = (
  publicUrl: string,
  invitation: { id: string; email: string; role: string; tenant: string; inviter: string },
): Email =>
  composeEmail({
    to: invitation.email,
    subject: 'You are invited to a tenant at Tollgate',
    paragraphs: [
      `${quotable(invitation.inviter, 'A member')} invites you to join ${quotable(invitation.tenant, 'a tenant')} on Tollgate as ${invitation.role}.`,
    ],
    link: { label: 'See the invitation', url: `${publicUrl}/invite/${invitation.id}` },
    ending: `The invitation is for ${invitation.email}, works once and expires after 72 hours.`,
  })

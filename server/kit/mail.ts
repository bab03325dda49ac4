import { createTransport } from 'nodemailer'
import type { Config } from './config.ts'

/** A mail to one person. `html` is complete and already escaped. */
export type Email = { to: string; subject: string; text: string; html: string }

export type CapturedEmail = Email & {
  /** Unix seconds. */
  at: number
}

export interface Mail {
  /** Whether sending can work at all. */
  readonly ready: boolean
  /** Hands the letter to the SMTP server, or captures it where there is none. Throws MailError. */
  send(letter: Email): Promise<void>
  /** What was captured instead of sent, newest first; at most 200. Lost at the end of the process. */
  captured(): readonly CapturedEmail[]
}

/** A letter could not be sent. */
export class MailError extends Error {}

const CAPTURED_MAX = 200

export function createMail(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'production'>): Mail {
  if (config.smtpUrl !== undefined) return overSmtp(config.smtpUrl, config.mailFrom)
  return config.production ? refusing() : capturing()
}

function overSmtp(url: string, from: string): Mail {
  const transport = createTransport(
    { url, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    ready: true,
    async send(letter) {
      try {
        await transport.sendMail(letter)
      } catch (cause) {
        throw new MailError('The mail server did not take the mail.', { cause })
      }
    },
    captured: () => [],
  }
}

function refusing(): Mail {
  return {
    ready: false,
    send: () =>
      Promise.reject(new MailError('Mail cannot be sent: set SMTP_URL, such as smtp://user:password@host:587.')),
    captured: () => [],
  }
}

function capturing(): Mail {
  const letters: CapturedEmail[] = []
  return {
    ready: true,
    async send(letter) {
      letters.unshift({ ...letter, at: Math.floor(Date.now() / 1000) })
      letters.length = Math.min(letters.length, CAPTURED_MAX)
    },
    captured: () => letters,
  }
}

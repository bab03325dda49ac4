import { createTransport } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { AppError } from '../error.ts'

/** An e-mail to one person. `html` is complete and already escaped. */
export type Email = { to: string; subject: string; text: string; html: string }

export type CapturedEmail = Email & {
  /** Unix seconds. */
  at: number
}

export interface Mail {
  /** Whether e-mails can be sent or captured. */
  readonly ready: boolean
  /** Sends the e-mail through SMTP, or captures it if SMTP is not configured. Throws AppError. */
  send(email: Email): Promise<void>
  /** The e-mails that were captured instead of sent, newest first, at most 200. Kept in memory only. */
  captured(): readonly CapturedEmail[]
}

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
    async send(email) {
      try {
        // as an object, so that it is not parsed again and can name one recipient only
        await transport.sendMail({ ...email, to: { name: '', address: email.to } })
      } catch (cause) {
        throw new AppError('email-failed', { cause })
      }
    },
    captured: () => [],
  }
}

function refusing(): Mail {
  return {
    ready: false,
    send: () => Promise.reject(new AppError('email-off')),
    captured: () => [],
  }
}

function capturing(): Mail {
  const emails: CapturedEmail[] = []
  return {
    ready: true,
    async send(email) {
      emails.unshift({ ...email, at: Math.floor(Date.now() / 1000) })
      emails.length = Math.min(emails.length, CAPTURED_MAX)
    },
    captured: () => emails,
  }
}

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
  /**
   * Sends the e-mail through SMTP, or captures it if SMTP is not configured. Only the queue calls this (kit/queue/email.ts). `id`:
   * of its Message-ID, the same for a repetition. Throws an error without the address if the mail server does not accept it.
   */
  send(email: Email, id: string): Promise<void>
  /** The e-mails that were captured instead of sent, newest first, at most 200. Kept in memory only. */
  captured(): readonly CapturedEmail[]
}

const CAPTURED_MAX = 200

export function createMail(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'production'>): Mail {
  if (config.smtpUrl !== undefined) return overSmtp(config.smtpUrl, config)
  return config.production ? refusing() : capturing()
}

function overSmtp(url: string, { mailFrom: from, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): Mail {
  const { hostname } = new URL(publicUrl)
  const transport = createTransport(
    { url, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    ready: true,
    async send(email, id) {
      // as an object, so that it is not parsed again and can name one recipient only
      const to = { name: '', address: email.to }
      await transport
        .sendMail({ ...email, to, messageId: `<${id}@${hostname}>` })
        // the queue stores the message and the log has it, so no address may be in it, and nodemailer's error has some
        .catch(({ message }: Error) => {
          throw new Error(`The mail server did not accept the e-mail: ${message.replaceAll(email.to, 'the address')}`)
        })
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

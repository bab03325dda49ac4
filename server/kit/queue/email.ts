import type { Payload } from '../../contract/jobs.ts'
import type { Context } from '../context.ts'
import { decrypt, encrypt } from '../crypto/encrypt.ts'
import { newId } from '../crypto/ids.ts'
import type { Db } from '../db/transact.ts'
import type { Email } from '../process/mail.ts'
import { enqueueAll } from './enqueue.ts'

const PURPOSE = 'tollgate e-mail 1'

/** `tenant`: that it is about. `until`: Unix seconds, when its link expires. */
export type QueuedEmail = Email & { tenant?: string; until?: number }

export type EmailCtx = Db & Pick<Context, 'mail' | 'keyring'>

/** A row whose recipient or subject was changed does not decrypt: write access to the table is not enough to redirect a link. */
const bound = ({ to, subject }: Pick<Email, 'to' | 'subject'>): string => JSON.stringify([to, subject])

/**
 * Enqueues e-mails in the transaction of `ctx`. Nothing where the deployment has no mail server: what exists only to send an
 * e-mail checks `ctx.mail.ready` first.
 */
export async function enqueueEmails(ctx: EmailCtx, emails: readonly QueuedEmail[]): Promise<void> {
  if (!ctx.mail.ready) return
  const payloads = emails.map(({ text, html, ...head }) => ({
    ...head,
    id: newId(),
    content: encrypt(ctx.keyring, PURPOSE, JSON.stringify({ text, html }), bound(head)),
  }))
  await enqueueAll(ctx, 'send_email', payloads)
}

/** The e-mails to an address that wait in the queue or have failed. */
export const emailsTo = ({ prisma }: Db, address: string): Promise<{ subject: string; createdAt: Date }[]> =>
  prisma.$queryRaw`
    select j.payload->>'subject' as subject, j.created_at as "createdAt"
    from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id
    where k.identifier = 'send_email' and j.payload->>'to' = ${address}`

/** Deletes the e-mails to an address that wait in the queue or have failed. Returns how many. */
export const deleteEmailsTo = ({ prisma }: Db, address: string): Promise<number> =>
  prisma.$executeRaw`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks k
    where k.id = j.task_id and k.identifier = 'send_email' and j.payload->>'to' = ${address}`

/** Sends an e-mail from the queue, unless its link has expired. Throws if the mail server does not accept it. */
export async function sendEmail(
  { mail, keyring, clock, log }: Pick<Context, 'mail' | 'keyring' | 'clock' | 'log'>,
  { id, to, subject, until, content }: Payload<'send_email'>,
): Promise<void> {
  if (until !== undefined && clock.now() > until * 1000) {
    log.warn({ id }, 'an e-mail was not sent, because its link has expired in the queue')
    return
  }
  const parts = JSON.parse(decrypt(keyring, PURPOSE, content, bound({ to, subject }))) as Pick<Email, 'text' | 'html'>
  await mail.send({ to, subject, ...parts }, id)
}
